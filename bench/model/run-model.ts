import { writePage } from '../../scripts/docs/fill-page.ts'
import { benchmark, say } from '../benchmark.ts'
import { loads, replay } from './loads.ts'
import { measureRender } from './measure-render.ts'
import { dayTable, modelTexts } from './texts.ts'

export const model = benchmark({
  summary: 'what the service costs, what it reaches first, and a day of it in simulation',
  takes: 'ten seconds',
  about: `Counts what the service costs and which limits it reaches at 10, 1,000 and 100,000 videos an hour, and replays a day of each in
simulation, with the functions that hold the line of waiting jobs. Everything that it counts with is printed with its source. The
tables of docs/operators/scale.md are what it prints.`,
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
    const texts = { ...modelTexts(), 'model: day': dayTable(loads.map(replay)) }
    if (write) await writePage('docs/operators/scale.md', texts)
    else for (const [name, text] of Object.entries(texts)) say(`${name}\n\n${text}\n`)
  },
})
