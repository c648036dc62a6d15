import { writePage } from '../../scripts/docs/fill-page.ts'
import { loads, replay } from './loads.ts'
import { measureRender } from './measure-render.ts'
import { modelHelp, readModelSettings } from './settings.ts'
import { dayTable, modelTexts } from './texts.ts'

export { modelHelp }

/** Returns 0; the model has no limits of its own to keep. */
export async function runModel(args: readonly string[], stop: AbortSignal): Promise<number> {
  const { isRendering, isWriting } = readModelSettings(args)
  if (isRendering) {
    await measureRender(stop)
    say('bench/model/measured/render.json is new; run again without --render to count with it.')
    return 0
  }
  const texts = { ...modelTexts(), 'model: day': dayTable(loads.map(replay)) }
  if (isWriting) {
    await writePage('docs/scale.md', texts)
    say('docs/scale.md says what bench/model says.')
    return 0
  }
  for (const [name, text] of Object.entries(texts)) say(`${name}\n\n${text}\n`)
  say('ok')
  return 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
