import type { KeptTexts, KeptWindows } from '../../../containers/speech/kept-windows.ts'

/** Keeps texts as the Worker does for an account. */
export function keptTexts(texts: Map<string, string>): KeptTexts {
  return { ...keptWindows(texts), isOff: () => false }
}

/** Keeps texts as the Worker does for a job, until there are this many: then the attempt is killed. */
export function keptWindows(texts: Map<string, string>, most = Infinity) {
  return {
    find: async (names: readonly string[]) =>
      Promise.resolve(new Map([...texts].filter(([name]) => names.includes(name)))),
    keep: async (name: string, text: string) => {
      if (texts.size >= most) throw new Error('Killed')
      return Promise.resolve(Boolean(texts.set(name, text)))
    },
  } satisfies KeptWindows
}
