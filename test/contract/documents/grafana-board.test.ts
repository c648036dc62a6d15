import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { metricMeanings } from '../../../worker/contract/answers/metrics.ts'

const board = z.object({
  uid: z.string(),
  schemaVersion: z.int(),
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string().min(1),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1) })).min(1),
    }),
  ),
})

let panels: z.infer<typeof board>['panels']
beforeAll(async () => {
  const text = await readFile(new URL('../../../docs/grafana/spool.json', import.meta.url), 'utf8')
  panels = board.parse(JSON.parse(text)).panels
})

const namesIn = (expr: string) => expr.match(/\bspool_\w+/g) ?? []
const expressions = () => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

describe('docs/grafana/spool.json', () => {
  it('names only metrics that /metrics has, and all of them', () => {
    const named = new Set(expressions().flatMap(namesIn))
    expect([...named].sort()).toEqual(Object.keys(metricMeanings).sort())
    expect(expressions().filter((expr) => namesIn(expr).length === 0)).toEqual([])
  })

  it('takes rates of counters only, and shows counters only as rates', () => {
    for (const expr of expressions()) {
      const isRate = /\b(rate|increase)\(/.test(expr)
      for (const name of namesIn(expr)) expect(name.endsWith('_total'), expr).toBe(isRate)
    }
  })

  it('places no two panels on each other', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
  })
})
