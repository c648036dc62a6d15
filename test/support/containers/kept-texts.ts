import type { KeptTexts } from '../../../containers/speech/kept-windows.ts'

/** Keeps texts as the Worker does for an account. */
export function keptTexts(texts: Map<string, string>): KeptTexts {
  return {
    find: async (names) =>
      Promise.resolve(new Map([...texts].filter(([name]) => names.includes(name)))),
    keep: async (name, text) => Promise.resolve(Boolean(texts.set(name, text))),
    isOff: () => false,
  }
}
