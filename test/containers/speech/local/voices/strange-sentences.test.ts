import { expect, it } from 'vitest'
import { setStrangeApart } from '../../../../../containers/speech/local/voices/strange-sentences.ts'

const size = 20

/** 60 sentences of one to three rows of two voices in turn, which vary less the longer they are, and one in the middle. */
function aTalk(middle: { readonly value: number; readonly rows: number }) {
  let seed = 7
  const chance = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32 - 0.5
  const rows: Float32Array[] = []
  const labels: number[] = []
  const seconds: number[] = []
  const sentences = Array.from({ length: 61 }, (_, n) => {
    const isMiddle = n === 30
    const voice = n % 2
    const count = isMiddle ? middle.rows : 1 + (n % 3)
    return Array.from({ length: count }, () => {
      const length = 0.7 + 1.3 * Math.abs(chance())
      const value = isMiddle ? middle.value : 4 * voice
      rows.push(Float32Array.from({ length: size }, () => value + chance() / Math.sqrt(length)))
      labels.push(voice)
      seconds.push(length)
      return rows.length - 1
    })
  })
  return { views: [rows, rows], seconds, sentences, labels }
}

const rule = { most: 8, least: 9, longest: 4 }

it('makes a voice of its own of a sentence that is stranger than others of its length', () => {
  const talk = aTalk({ value: -3, rows: 2 })
  const { labels, left } = setStrangeApart(talk, rule)
  const changed = labels.flatMap((label, at) => (label === talk.labels[at] ? [] : [at]))
  expect(changed).toEqual(talk.sentences[30])
  expect(new Set(labels).size).toBe(3)
  expect(left).toBeLessThan(9)
})

it('tells how strange one is that may be no voice of its own, and leaves ordinary ones where they are', () => {
  const long = aTalk({ value: -3, rows: 5 })
  const told = setStrangeApart(long, rule)
  expect(told.labels).toEqual(long.labels)
  expect(told.left).toBeGreaterThan(9)
  const full = setStrangeApart(aTalk({ value: -3, rows: 2 }), { ...rule, most: 0 })
  expect(full.left).toBeGreaterThan(9)
  const ordinary = aTalk({ value: 0, rows: 2 })
  const { labels, left } = setStrangeApart(ordinary, rule)
  expect(labels).toEqual(ordinary.labels)
  expect(left).toBeLessThan(6.2)
})
