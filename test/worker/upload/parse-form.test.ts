import { describe, expect, it } from 'vitest'
import { AppError } from '../../../worker/contract/answers/errors.ts'
import { limits } from '../../../worker/contract/limits.ts'
import { arriving, latin1, seededNumbers } from '../../support/worker/byte-pieces.ts'
import { collectForm, smallShape, type CollectedPart } from '../../support/worker/collect-form.ts'

const shape = {
  maxParts: limits.formParts,
  maxHeadBytes: limits.partHeaderBytes,
  maxTextBytes: limits.formTextBytes,
}

async function read(body: string, boundary = 'b') {
  return collectForm(
    arriving(latin1(body), (below) => below - 1),
    boundary,
    shape,
  )
}

async function contents(body: string): Promise<Record<string, string>> {
  const { parts } = await read(body)
  return Object.fromEntries(parts.map(({ name, content }) => [name, content]))
}

/** The fault that a client gets for a body that cannot be read. */
async function faultOf(body: string): Promise<unknown> {
  try {
    return await contents(body)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ValidationError') throw error
    return error.details?.[0]
  }
}

const named = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n`
const field = (name: string, text: string) => `${named(name)}\r\n${text}\r\n`
const cutOff = {
  field: 'body',
  message: 'Must end with its closing boundary, but was cut off before it',
}
const unixLines = {
  field: 'body',
  message: 'Must have lines that end with CR LF (\\r\\n), not with LF alone',
}

describe('FormParser', () => {
  it('takes a form without parts', async () => {
    expect(await contents('--b--')).toEqual({})
  })

  it.each([
    ['an empty body', '', 'Must not be empty'],
    ['another boundary', '--c\r\n', 'Must begin with the boundary that the Content-Type names'],
    [
      'a file without any form',
      'x'.repeat(100_000),
      'Must begin with the boundary that the Content-Type names',
    ],
    [
      'a part without headers',
      '--b\r\n\r\n1\r\n--b--',
      'Must give every part a Content-Disposition: form-data with the name of its field',
    ],
    [
      'a part that is an attachment',
      '--b\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--b--',
      'Must give every part a Content-Disposition: form-data with the name of its field',
    ],
    [
      'a part without a name',
      '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--',
      'Must give every part one name in its Content-Disposition',
    ],
    [
      'a part with two names',
      '--b\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\n1\r\n--b--',
      'Must give every part one name in its Content-Disposition',
    ],
    [
      'a header twice',
      `${named('a')}content-disposition: form-data; name="b"\r\n\r\n1\r\n--b--`,
      'Must not give a part the same header twice',
    ],
    [
      'a header that is none',
      `${named('a')}no colon\r\n\r\n1\r\n--b--`,
      'Must write every header of a part as Name: value',
    ],
  ])('refuses %s', async (_, body, message) => {
    expect(await faultOf(body)).toEqual({ field: 'body', message })
  })

  it.each([
    '--b',
    '--b\r\n',
    named('a'),
    `${named('a')}\r\n`,
    `${named('a')}\r\n1`,
    `${named('a')}\r\n1\r\n--b`,
    `${field('a', '1')}--b-`,
    `${field('file', 'x'.repeat(10_000))}--b\r\n`,
    `${named('file')}\r\n${'x'.repeat(10_000)}`,
  ])('says of %j that it was cut off', async (body) => {
    expect(await faultOf(body)).toEqual(body === '--b' ? begins() : cutOff)
  })

  function begins() {
    return { field: 'body', message: 'Must begin with the boundary that the Content-Type names' }
  }

  it('refuses lines that end with LF alone, and says so', async () => {
    const unix = (body: string) => body.replaceAll('\r\n', '\n')
    expect(await faultOf(unix(`${field('a', '1')}--b--\r\n`))).toEqual(unixLines)
    expect(await faultOf(`--b\r\n${unix(named('a').slice(5))}\n1\r\n--b--`)).toEqual(unixLines)
  })

  it('joins folded headers, and recognises their names in any case', async () => {
    const body =
      '--b\r\nCONTENT-disposition: form-data;\r\n  name="a"\r\nX-Other: 1\r\n\r\n1\r\n--b--'
    expect(await contents(body)).toEqual({ a: '1' })
  })

  it('enforces the limit on the headers of a part, to the byte', async () => {
    const padded = (bytes: number) => {
      const line = named('a').slice(5)
      return `--b\r\n${line}X: ${'x'.repeat(bytes - line.length - 3)}\r\n\r\n1\r\n--b--`
    }
    const message = 'Must have at most 16384 bytes of headers in a part'
    expect(await contents(padded(limits.partHeaderBytes))).toEqual({ a: '1' })
    expect(await faultOf(padded(limits.partHeaderBytes + 1))).toEqual({ field: 'body', message })
    expect(await faultOf(padded(1_000_000))).toEqual({ field: 'body', message })
  })

  it('enforces the limit on the text of all fields together, to the byte', async () => {
    const body = (bytes: number) =>
      `${field('a', 'x'.repeat(600_000))}${field('b', 'y'.repeat(bytes - 600_000))}--b--`
    const message = 'Must have at most 1048576 bytes of text in its fields'
    const { b } = await contents(body(limits.formTextBytes))
    expect(b?.length).toBe(448_576)
    expect(await faultOf(body(limits.formTextBytes + 1))).toEqual({ field: 'body', message })
    expect(await faultOf(body(3_000_000))).toEqual({ field: 'body', message })
  })

  it('enforces the limit on the number of parts', async () => {
    const parts = (count: number) =>
      Array.from({ length: count }, (_, i) => field(`f${i}`, '')).join('') + '--b--'
    expect(Object.keys(await contents(parts(limits.formParts)))).toHaveLength(limits.formParts)
    const message = 'Must have at most 100 parts'
    expect(await faultOf(parts(limits.formParts + 1))).toEqual({ field: 'body', message })
  })

  it('refuses a field that is not UTF-8, by its name', async () => {
    expect(await faultOf(`${field('a', 'caf\xe9')}--b--`)).toEqual({
      field: 'a',
      message: 'Must be UTF-8 text',
    })
  })

  it.each([
    ['Content-Type: text/plain; charset=iso-8859-1', 'Must be in UTF-8, not iso-8859-1'],
    [
      'Content-Transfer-Encoding: base64',
      'Must be sent as it is, not with the Content-Transfer-Encoding base64',
    ],
    ['Content-Type: text/plain; charset="UTF-8"', undefined],
    ['Content-Transfer-Encoding: 8bit', undefined],
  ])('decides on %s', async (header, message) => {
    const body = `${named('a')}${header}\r\n\r\n1\r\n--b--`
    expect(await faultOf(body)).toEqual(message ? { field: 'a', message } : { a: '1' })
  })

  it('reads no more than it needs to detect the format of the file', async () => {
    let asked = 0
    const source = arriving(latin1(`${named('file')}\r\n${'x'.repeat(100_000)}\r\n--b--`))
    const reading = collectForm(
      {
        async readAtLeast(minBytes, view) {
          asked += minBytes
          if (asked > 20_000) throw new Error('read too far')
          return source.readAtLeast(minBytes, view)
        },
      },
      'b',
      { ...shape, stretchBytes: 50_000 },
    )
    await expect(reading).rejects.toMatchObject({
      code: 'ValidationError',
      message: 'The body was cut off: the connection broke.',
    })
    expect(asked).toBeGreaterThan(50_000)
  })

  it.each([
    [7_000, 65_536],
    [70_000, 524_288],
    [700_000, 4_194_304],
  ])(
    'uses memory in proportion to what a client has sent: after %i bytes %i',
    async (sent, held) => {
      const source = arriving(latin1(`${named('file')}\r\n${'x'.repeat(sent)}`))
      let largest = 0
      const reading = collectForm(
        {
          async readAtLeast(minBytes, view) {
            largest = Math.max(largest, view.buffer.byteLength)
            return source.readAtLeast(minBytes, view)
          },
        },
        'b',
        { ...shape, stretchBytes: 5_000_000 },
      )
      await expect(reading).rejects.toMatchObject({ details: [cutOff] })
      expect(largest).toBe(held)
    },
  )

  it('reads a file of several stretches, however its window has grown', async () => {
    const content = Array.from({ length: 1_300_000 }, (_, i) => String.fromCharCode(i % 251)).join(
      '',
    )
    const body = `${field('a', '1')}${field('file', content)}${field('c', '3')}--b--`
    const { parts, stretches } = await collectForm(
      arriving(latin1(body), (below) => below - 1),
      'b',
      { ...shape, stretchBytes: 600_000 },
    )
    expect(stretches).toEqual([600_000, 600_000, 100_000])
    expect(parts.map((part) => part.content === content || part.content)).toEqual(['1', true, '3'])
  })
})

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
