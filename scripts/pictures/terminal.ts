import { escapeXml } from '../../src/base/xml-text.ts';

const CHARACTER = 8.43;
const LINE = 20;
const MARGIN = 20;
const COLUMNS = 80;

/** A picture of a terminal, light or dark as its reader prefers. Lines that begin with `$` are commands. */
export function drawTerminal(transcript: string): string {
  const lines = transcript.trimEnd().split('\n');
  const width = Math.ceil(2 * MARGIN + COLUMNS * CHARACTER);
  const height = 2 * MARGIN + lines.length * LINE;
  const texts = lines.map((line, i) => {
    const y = MARGIN + (i + 0.75) * LINE;
    const isCommand = line.startsWith('$ ');
    const words = isCommand ? `<tspan class="prompt">$</tspan>${escapeXml(line.slice(1))}` : escapeXml(line);
    return `<text x="${MARGIN}" y="${y}"${isCommand ? ' class="command"' : ''}>${words}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal">
<style>
rect { fill: #f6f8fa; stroke: #d0d7de }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre }
.command { font-weight: 600 }
.prompt { fill: #1a7f37 }
@media (prefers-color-scheme: dark) {
rect { fill: #0d1117; stroke: #30363d }
text { fill: #e6edf3 }
.prompt { fill: #3fb950 }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join('\n')}
</svg>
`;
}
