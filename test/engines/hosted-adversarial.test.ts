import { adversarialSuite, type Damage } from './adversarial.ts';
import { connect, HOSTED } from './servers/hosted.ts';
import type { VendorAnswer } from './servers/vendor-server.ts';

/** Damages every translation in an answer. */
function damaged(answer: VendorAnswer, damage: Damage): VendorAnswer {
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      if (name === 'content') return JSON.stringify(walk(JSON.parse(value), ''));
      return name === 'text' || name === 'translatedText' ? damage(value) : value;
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]));
  };
  return { ...answer, body: walk(answer.body, '') };
}

for (const hosted of HOSTED) {
  adversarialSuite(hosted.name, {
    losesLines: hosted.name !== 'google' && hosted.name !== 'libretranslate',
    open: async () => {
      const server = await hosted.start();
      const engine = connect(hosted, server);
      return {
        engine,
        attack: (damage) => {
          server.always = (answer) => damaged(answer, damage);
        },
        close: async () => {
          await engine.close();
          await server.close();
        },
      };
    },
  });
}
