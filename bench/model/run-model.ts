import { writePage } from '../../scripts/docs/fill-page.ts'
import { benchmark, say } from '../benchmark.ts'
import { measureRender } from './measure-render.ts'
import { modelTexts } from './texts.ts'

export const model = benchmark({
  summary: 'what the service costs, and which limits it reaches first',
  takes: 'a moment',
  about: `Counts what the service costs and which limits it reaches at 10, 1,000 and 100,000 videos an hour. Everything that it counts with
is printed with its source. The tables of docs/operators/scale.md are what it prints.`,
  switches: {
    write: 'writes the tables into docs/operators/scale.md instead of printing them',
    render: 'measures what a minute of 1080p takes, and writes it to bench/model/measured/',
  },
  async measure({ write, render }, run) {
    if (render) {
      await measureRender(run)
      say('bench/model/measured/render.json is new; run again without --render to count with it.')
      return
    }
    const texts = modelTexts()
    if (write) await writePage('docs/operators/scale.md', texts)
    else for (const [name, text] of Object.entries(texts)) say(`${name}\n\n${text}\n`)
  },
})
