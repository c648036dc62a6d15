import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loads, replay } from '../../../bench/model/loads.ts'
import { dayTable, modelTexts } from '../../../bench/model/texts.ts'
import { fillPage } from '../../../scripts/docs/fill-page.ts'
import { root } from '../../../scripts/machine/checkout.ts'
import { campaign } from '../../support/node/campaign.ts'

const file = path.join(root, 'docs/operators/scale.md')
const page = readFileSync(file, 'utf8')
const [fewVideos, , manyVideos] = loads

/** The cells of each row, however the page pads them. */
const rowsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.includes('---'))
    .map((line) => line.split(/ *\| */).join('|'))

describe('docs/operators/scale.md', () => {
  it('has the bill and the limits that the model writes', async () => {
    expect(await fillPage(page, modelTexts(), file)).toBe(page)
  })

  it('has the day that the model replays for ten videos an hour', () => {
    expect(rowsOf(page)).toEqual(expect.arrayContaining(rowsOf(dayTable([replay(fewVideos)]))))
  })

  campaign('has the days that the model replays for all loads', async () => {
    const began = performance.now()
    const days = loads.map(replay)
    expect(days.at(-1)?.day.perHour).toBe(manyVideos.perHour)
    expect(await fillPage(page, { 'model: day': dayTable(days) }, file)).toBe(page)
    expect(performance.now() - began).toBeLessThan(120_000)
  })
})
