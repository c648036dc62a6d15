import type { ByteSource } from '../../../../worker/upload/byte-window.ts'
import { FormParser, type FormShape } from '../../../../worker/upload/parse-form.ts'

export type CollectedPart = { name: string; fileName: string | undefined; content: string }
type Collected = { parts: CollectedPart[]; heads: string[]; stretches: number[] }

export const smallShape: Omit<FormShape, 'boundary'> = {
  fileField: 'file',
  stretchBytes: 64,
  loans: 2,
  maxParts: 100,
  maxHeadBytes: 1000,
  maxTextBytes: 4000,
}

/** Reads a whole form and keeps its content as one character per byte. Buffers are given back one event late. */
export async function collectForm(
  source: ByteSource,
  boundary: string,
  shape: Partial<FormShape> = {},
): Promise<Collected> {
  const parser = await FormParser.open(source, { ...smallShape, boundary, ...shape })
  const collected: Collected = { parts: [], heads: [], stretches: [] }
  let lent = (): void => undefined
  for await (const event of parser.events()) {
    if (event.type === 'part') {
      const { name, fileName } = event.head
      collected.parts.push({ name, fileName, content: '' })
    }
    if (event.type === 'text') append(collected, new TextEncoder().encode(event.text))
    if (event.type === 'file-head') collected.heads.push(text(event.bytes))
    if (event.type === 'file-bytes') {
      lent()
      append(collected, event.loan.bytes)
      collected.stretches.push(event.loan.bytes.length)
      // Code that stores a stretch may still hold it while the next one is read.
      lent = () => {
        event.loan.bytes.fill(0)
        event.loan.giveBack()
      }
    }
  }
  return collected
}

function append({ parts }: Collected, bytes: Uint8Array): void {
  const part = parts.at(-1)
  if (part) part.content += text(bytes)
}

function text(bytes: Uint8Array): string {
  let written = ''
  for (const byte of bytes) written += String.fromCharCode(byte)
  return written
}
