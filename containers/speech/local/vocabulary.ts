/** The bytes that each token stands for, by its number. */
export type Vocabulary = readonly Uint8Array[]

const byteToken = /^<0x([0-9A-F]{2})>$/

/** Reads pieces as SentencePiece writes them: `▁` is a space, `<0x41>` a single byte. */
export function toVocabulary(pieces: readonly string[]): Vocabulary {
  return pieces.map((piece) => {
    const byte = byteToken.exec(piece)?.[1]
    return byte === undefined
      ? Buffer.from(piece.replaceAll('▁', ' '))
      : Uint8Array.of(Number.parseInt(byte, 16))
  })
}

export function bytesOfTokens(vocabulary: Vocabulary, tokens: readonly number[]): Buffer {
  return Buffer.concat(tokens.map((token) => vocabulary[token] ?? new Uint8Array()))
}

export function textOfTokens(vocabulary: Vocabulary, tokens: readonly number[]): string {
  return bytesOfTokens(vocabulary, tokens).toString('utf8').replaceAll('\uFFFD', '').trim()
}

const space = 0x20

export function beginsWord(vocabulary: Vocabulary, token: number): boolean {
  return vocabulary[token]?.[0] === space
}
