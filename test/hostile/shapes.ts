import type { Random } from '../../src/plugins/contract/random.ts';
import type { HostileNotation } from './notations.ts';
import { MESSAGE_PIECES } from './pieces.ts';
import { both, type HostileText } from './texts.ts';

/** Separates the opening part of a piece from its closing part. */
const INSIDE = '⋯';
const NUMBER = '№';

/** The same pieces repeated or nested, inside of a frame. */
export function hostileText(frame: string, ...pieces: readonly string[]): HostileText {
  const [head = '', tail = ''] = frame.split(INSIDE);
  const halves = pieces.map((piece) => piece.split(INSIDE));
  const opens = halves.map(([open = '']) => open).join('');
  const closes = halves
    .map(([, close = '']) => close)
    .toReversed()
    .join('');
  return {
    name: JSON.stringify([frame, ...pieces]),
    make: (length) => {
      const times = Math.max(
        1,
        Math.ceil((length - head.length - tail.length) / (opens.length + closes.length)),
      );
      return head + numbered(opens, times) + numbered(closes, times) + tail;
    },
  };
}

function numbered(piece: string, times: number): string {
  if (!piece.includes(NUMBER)) return piece.repeat(times);
  return Array.from({ length: times }, (_, i) => piece.replaceAll(NUMBER, String(i))).join('');
}

/** Each piece in one of the frames. */
export function someShapes({ frames, pieces }: HostileNotation): readonly HostileText[] {
  return pieces.map((piece, i) => hostileText(frames[i % frames.length] ?? INSIDE, piece));
}

/** Each piece in each frame. */
export function allShapes({ frames, pieces }: HostileNotation): readonly HostileText[] {
  return frames.flatMap((frame) => [...new Set(pieces)].map((piece) => hostileText(frame, piece)));
}

/** Two or three pieces together, alternating or one after the other. Some are pieces of messages. */
export function randomShape({ frames, pieces }: HostileNotation, random: Random): HostileText {
  const frame = random.pick(frames) ?? INSIDE;
  const pick = (): string => random.pick(random.once(4) ? MESSAGE_PIECES : pieces) ?? '';
  const [a, b] = [pick(), pick()];
  const once = (piece: string): string => piece.replaceAll(INSIDE, '').replaceAll(NUMBER, '0');
  switch (random.below(7)) {
    case 0:
      return hostileText(frame, a, b, pick());
    case 1:
      return hostileText(frame.replace(INSIDE, once(a) + INSIDE), b);
    case 2:
      return hostileText(frame.replace(INSIDE, INSIDE + once(a)), b);
    case 3:
      return inFrame(frame, both(hostileText(INSIDE, a), hostileText(INSIDE, b)));
    default:
      return hostileText(frame, a, b);
  }
}

function inFrame(frame: string, { name, make }: HostileText): HostileText {
  return {
    name: `${JSON.stringify(frame)} with ${name}`,
    make: (length) => frame.replace(INSIDE, () => make(length)),
  };
}
