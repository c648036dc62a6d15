import { keyFault } from './object-key.ts'

/** What a key may be made of. */
export type KeyParts = {
  videoId: string
  videoName: string
  name: string
  extension: string
  date: string
}

const placeholders = ['videoId', 'videoName', 'name', 'extension', 'date'] as const

export const defaultKey = '{videoId}/{name}.{extension}'

/** As long as each may become: a key that fits with these fits always. */
const longest: KeyParts = {
  videoId: 'v_00000000',
  // Shortened to 120 characters, of at most three bytes each.
  videoName: 'x'.repeat(360),
  name: 'x'.repeat(40),
  extension: 'webm',
  date: '2026-11-21',
}

export function templateFault(template: string): string | undefined {
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(
    ([, word]) => !placeholders.some((known) => known === word),
  )
  if (unknown) return `Unknown placeholder ${unknown[0]}; there are ${listed}`
  if (/[{}]/.test(template.replace(/\{\w+\}/g, ''))) {
    return `Has a brace that belongs to no placeholder; there are ${listed}`
  }
  return keyFault(longestKey(template))
}

/** The longest key that can come of it. */
export function longestKey(template: string): string {
  return keyOf(template, longest)
}

const listed = placeholders.map((word) => `{${word}}`).join(', ')

/** A name has no slashes here: it cannot leave the folder in which the template puts it. */
export function keyOf(template: string, parts: KeyParts): string {
  return template.replace(/\{(\w+)\}/g, (whole, word: string) =>
    Object.hasOwn(parts, word) ? parts[word as keyof KeyParts] : whole,
  )
}

/**
 * The key of the first file of an output that has several. They lie in a folder, in which they find each other by their
 * names, so a name with an extension becomes that of the folder.
 */
export function firstKeyOf(key: string, extension: string): string {
  const folder = key.endsWith(`.${extension}`) ? key.slice(0, -extension.length - 1) : key
  return `${folder}/index.${extension}`
}

/** The folder in which the file with this key lies. */
export function folderOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf('/'))
}
