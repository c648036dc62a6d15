import { readOptions } from '../read-options.ts'

export type ModelSettings = { isRendering: boolean; isWriting: boolean }

export const modelHelp = `Usage: npm run bench -- model [options]

Counts what the service costs and which limits it reaches at 10, 1,000 and 100,000 videos an hour, and replays a day of each in
simulation, with the functions that hold the line of waiting jobs. Everything that it counts with is printed with its source. The
tables of docs/scale.md are what it prints. Takes some ten seconds.

  --write   writes the tables into docs/scale.md instead of printing them
  --render  first measures what rendering a minute of 1080p takes, and writes it to bench/model/measured/render.json; on a
            quiet machine of two cores, in half a minute

The other files of that folder are written by tests: npm test -- test/worker/service/job-costs.test.ts -u, and
test/containers/job/report-rate.test.ts.
`

export function readModelSettings(args: readonly string[]): ModelSettings {
  const known = { render: { type: 'boolean' }, write: { type: 'boolean' } } as const
  const { render, write } = readOptions(args, known, modelHelp)
  return { isRendering: render === true, isWriting: write === true }
}
