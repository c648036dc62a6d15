import { describe, expect, it } from 'vitest'
import { AppError } from '../../../worker/contract/answers/errors.ts'
import { arriving, latin1, seededNumbers } from '../../support/worker/byte-pieces.ts'
import { collectForm, smallShape, type CollectedPart } from '../../support/worker/collect-form.ts'

type Random = (below: number) => number

/** Parses the whole body as one string with one regular expression: slow, but simple enough to trust. */
function referenceParts(body: string, boundary: string): CollectedPart[] | undefined {
  const escaped = boundary.replaceAll(/[^0-9A-Za-z]/g, '\\$&')
  // Only the very last line may lack its line end.
  const line = new RegExp(`\\r\\n--${escaped}(?:(--)[ \\t]*(?:\\r\\n|$)|[ \\t]*\\r\\n)`, 'g')
  const parts: CollectedPart[] = []
  const text = `\r\n${body}`
  for (let found = line.exec(text); found && found[1] === undefined;) {
    const start = found.index + found[0].length
    const end = text.indexOf('\r\n\r\n', start)
    const head = end < 0 ? '' : text.slice(start, end)
    const [, name] = / name="([^"]*)"/.exec(head) ?? []
    if (name === undefined || !/^([A-Za-z-]+: .*(\r\n|$))+$/.test(head)) return undefined
    line.lastIndex = end + 4
    found = line.exec(text)
    if (!found) return undefined
    const [, fileName] = /filename="([^"]*)"/.exec(head) ?? []
    parts.push({ name, fileName, content: text.slice(end + 4, found.index) })
  }
  return line.lastIndex === 0 ? undefined : parts
}

const boundaries = ['x', '-', '--', 'a', 'ab.ab.ab', "'()+_,-./:=?", 'z'.repeat(70), '\u002dXX--']

/** Content made of everything that might be mistaken for its end. */
function trickyContent(random: Random, boundary: string, pieces: number): string {
  const tricks = [
    ...['\r', '\n', '\r\n', '-', '--', '\r\n-', '\r\n--', '\r\r\n', '\0', ' ', 'plain'],
    `--${boundary}`,
    `--${boundary}--`,
    `\n--${boundary}\r\n`,
    `\r\n--${boundary}x`,
    `\r\n--${boundary}-`,
    `\r\n--${boundary}-\r\n`,
    `\r\n--${boundary}\n`,
    `\r\n--${boundary} \t x`,
    `\r\n--${boundary}${' '.repeat(70)}x`,
    `\r\n--${boundary}--x`,
    `\r\n--${boundary.slice(0, -1)}`,
    `\r\n--${boundary}`.repeat(2) + '.',
  ]
  let content = ''
  for (let i = random(pieces); i > 0; i--) {
    content += random(3) === 0 ? 'y'.repeat(random(90)) : (tricks[random(tricks.length)] ?? '')
  }
  return content
}

type Form = { boundary: string; body: string; parts: CollectedPart[] }

function aForm(random: Random): Form {
  const boundary = boundaries[random(boundaries.length)] ?? 'x'
  const parts: CollectedPart[] = []
  let body = random(4) === 0 ? `${'p'.repeat(random(50))}\r\n` : ''
  for (let i = random(5); i > 0; i--) {
    const isFile = random(2) === 0
    const name = isFile ? 'file' : `field${i}`
    const fileName = isFile ? 'a.mp4' : undefined
    const content = trickyContent(random, boundary, isFile ? 40 : 12)
    parts.push({ name, fileName, content })
    const fileParameter = isFile ? `; filename="a.mp4"\r\nContent-Type: video/mp4` : ''
    const padding = ' \t'.repeat(random(3))
    body += `--${boundary}${padding}\r\nContent-Disposition: form-data; name="${name}"${fileParameter}\r\n\r\n${content}\r\n`
  }
  const epilogue = ['', '\r\n', '\r\nepilogue', ` \r\n--${boundary}\r\n`][random(4)] ?? ''
  return { boundary, body: `${body}--${boundary}--${epilogue}`, parts }
}

async function parsed({ body, boundary }: Form, random: Random) {
  const stretchBytes = 1 + random(200)
  const surplus = random(2) === 0 ? () => 0 : random
  return collectForm(arriving(latin1(body), surplus), boundary, { stretchBytes, loans: 2 }).then(
    ({ parts, stretches }) => {
      // R2 requires parts of one size, except for the last.
      const files = parts.filter(({ name }) => name === 'file')
      if (files.length === 1) {
        expect(stretches.slice(0, -1).filter((bytes) => bytes !== stretchBytes)).toEqual([])
      }
      return parts
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ code: 'ValidationError' })
      return undefined
    },
  )
}

describe('FormParser', () => {
  it('reads 2500 forms full of things that look like boundaries, however they are split', async () => {
    const random = seededNumbers(7)
    let files = 0
    for (let n = 0; n < 2500; n++) {
      const form = aForm(random)
      const expected = referenceParts(form.body, form.boundary)
      expect(await parsed(form, random), JSON.stringify({ n, ...form })).toEqual(expected)
      files += expected?.filter(({ name }) => name === 'file').length ?? 0
    }
    expect(files).toBeGreaterThan(500)
  })

  it('refuses every form that was cut anywhere before its closing boundary', async () => {
    const random = seededNumbers(11)
    let cuts = 0
    while (cuts < 3000) {
      const form = aForm(random)
      const end = form.body.lastIndexOf(`--${form.boundary}--`) + form.boundary.length + 3
      for (let length = random(7); length < Math.min(end, 400); length += 1 + random(9)) {
        const body = form.body.slice(0, length)
        const expected = referenceParts(body, form.boundary)
        const cut = { ...form, body }
        expect(await parsed(cut, random), JSON.stringify(cut)).toEqual(expected)
        cuts++
      }
    }
  })

  it('uses no more memory than its buffers, however long the file is', async () => {
    const taken = new Set<ArrayBuffer>()
    const bytes = latin1(
      `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${'x'.repeat(50_000)}\r\n--b--`,
    )
    const source = arriving(bytes)
    const sizes: number[] = []
    await collectForm(
      {
        async readAtLeast(minBytes, view) {
          sizes.push(view.buffer.byteLength)
          const read = await source.readAtLeast(minBytes, view)
          if (read.value) taken.add(read.value.buffer)
          return read
        },
      },
      'b',
    )
    expect(new Set(sizes).size).toBe(1)
    expect(sizes[0]).toBeLessThan(5000)
    expect(smallShape.stretchBytes).toBe(64)
  })
})
