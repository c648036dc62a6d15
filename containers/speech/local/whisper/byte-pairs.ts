import type { Vocabulary } from '../vocabulary.ts'

/**
 * Byte-level BPE writes every byte as one printable character: itself where it is one, and otherwise the next free
 * character from 256 on.
 */
const byteOfCharacter = new Map<string, number>()
for (let byte = 0, free = 256; byte < 256; byte++) {
  const isItself = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  byteOfCharacter.set(String.fromCodePoint(isItself ? byte : free++), byte)
}

/** The bytes of each token. A control token stands for none. */
export function byteVocabulary(
  pieces: Readonly<Record<string, number>>,
  isControl: (token: number) => boolean,
): Vocabulary {
  const vocabulary: Uint8Array[] = []
  for (const [piece, token] of Object.entries(pieces)) {
    vocabulary[token] = isControl(token) ? new Uint8Array() : bytesOf(piece)
  }
  return Array.from(vocabulary, (bytes) => bytes ?? new Uint8Array())
}

function bytesOf(piece: string): Uint8Array {
  const bytes = Array.from(piece, (character) => {
    const byte = byteOfCharacter.get(character)
    return byte === undefined ? [...Buffer.from(character)] : [byte]
  })
  return Uint8Array.from(bytes.flat())
}
