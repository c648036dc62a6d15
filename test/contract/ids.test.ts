import { describe, expect, it } from 'vitest'
import {
  jobId,
  mintId,
  randomBase62,
  toBase62,
  uploadId,
  videoId,
} from '../../worker/contract/ids.ts'

describe('randomBase62', () => {
  it('draws again for bytes that would favour the first letters', () => {
    const draws = [[255, 248, 0, 61], [247, 250], [62]]
    const lengths: number[] = []
    const text = randomBase62(4, (bytes) => {
      lengths.push(bytes.length)
      bytes.set(draws.shift() ?? [])
      return bytes
    })
    expect(text).toBe('0zz0')
    expect(lengths).toEqual([4, 2, 1])
  })

  it('gives every one of 62 characters the same share', () => {
    const everyByte = Uint8Array.from({ length: 248 }, (_, i) => i)
    const text = randomBase62(248, () => everyByte)
    const counts = Map.groupBy(text, (character) => character)
    expect(counts.size).toBe(62)
    expect(new Set([...counts.values()].map((group) => group.length))).toEqual(new Set([4]))
  })

  it('is empty for length 0', () => {
    expect(randomBase62(0)).toBe('')
  })
})

describe('toBase62', () => {
  it.each([
    [0, 6, '000000'],
    [61, 1, 'z'],
    [62, 2, '10'],
    [0xffffffff, 6, '4gfFC3'],
    [3844, 1, '100'],
  ])('writes %d with %d digits as %s', (value, length, text) => {
    expect(toBase62(value, length)).toBe(text)
  })
})

describe('mintId', () => {
  it.each([
    ['v', 8],
    ['j', 16],
    ['a', 12],
    ['k', 12],
    ['msg', 22],
    ['dlv', 16],
    ['u', 16],
    ['req', 16],
  ] as const)('gives %s_ %d characters', (prefix, length) => {
    expect(mintId(prefix)).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{${length}}$`))
  })

  it('takes its letters from the randomness given', () => {
    expect(mintId('v', (bytes) => bytes.fill(1))).toBe('v_11111111')
  })

  it('makes ids that the schemas accept', () => {
    expect(videoId.safeParse(mintId('v')).success).toBe(true)
    expect(jobId.safeParse(mintId('j')).success).toBe(true)
    expect(uploadId.safeParse(mintId('u')).success).toBe(true)
  })
})

describe('videoId', () => {
  it.each([
    ...[
      '',
      'v_',
      'v_1234567',
      'v_123456789',
      'V_12345678',
      'j_12345678',
      'v_1234567-',
      'v_1234567é',
    ],
    ...[' v_12345678', 'v_12345678\n', 'v_12345678 ', "v_1' OR 1--", 'v-12345678'],
  ])('refuses %j', (text) => {
    expect(videoId.safeParse(text).success).toBe(false)
  })
})

it('jobId and uploadId take up to 64 letters or digits', () => {
  expect(jobId.safeParse(`j_${'a'.repeat(64)}`).success).toBe(true)
  expect(jobId.safeParse(`j_${'a'.repeat(65)}`).success).toBe(false)
  expect(jobId.safeParse('j_').success).toBe(false)
  expect(uploadId.safeParse(`u_${'a'.repeat(64)}`).success).toBe(true)
  expect(uploadId.safeParse(`u_${'a'.repeat(65)}`).success).toBe(false)
  expect(uploadId.safeParse('u_../x').success).toBe(false)
})
