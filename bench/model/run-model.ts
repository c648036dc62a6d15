import { loads, replay } from './loads.ts'
import { measureRender } from './measure-render.ts'
import { modelHelp, readModelSettings } from './settings.ts'
import { dayTable, modelTexts } from './texts.ts'

export { modelHelp }

/** Returns 0; the model has no limits of its own to keep. */
export async function runModel(args: readonly string[], stop: AbortSignal): Promise<number> {
  if (readModelSettings(args).isRendering) {
    await measureRender(stop)
    say('bench/model/measured/render.json is new; run again without --render to count with it.')
    return 0
  }
  for (const [name, text] of Object.entries(modelTexts())) say(`${name}\n\n${text}\n`)
  say(`model: day\n\n${dayTable(loads.map(replay))}\n`)
  say('ok')
  return 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
