import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withSoundBits } from '../../../../containers/job/foresee/sample-sound.ts'
import { planJob } from '../../../../containers/job/plan/plan-job.ts'
import { renderOutput } from '../../../../containers/job/render/render-output.ts'
import { replacedField } from '../../../../worker/contract/addresses/addresses-beside.ts'
import { cutHere } from '../../../support/containers/films/job-here.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const picture = ['-f', 'lavfi', '-i', 'color=gray:s=160x90:r=25:d=8']
const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-shortest']

const filmWith = async (sound: string) =>
  makeFile('mp4', [...picture, '-f', 'lavfi', '-i', sound, ...coding])
const noisy = async () => filmWith('anoisesrc=d=8:a=0.3:seed=3')
const quiet = async () => filmWith('sine=220:d=8')
const sineAlone = async () => makeFile('wav', ['-f', 'lavfi', '-i', 'sine=220:d=8'])

it.each([
  { does: 'a clip that is made silent', second: {}, first: { volume: 0 }, options: {} },
  { does: 'a clip that is heard', second: {}, first: {}, options: {} },
  { does: 'a film that is made silent', first: {}, options: { audio: { volume: 0 } } },
  { does: 'a sound in place of another', first: {}, options: {}, beside: sineAlone },
])('foresees the bits of $does', async ({ first, second, options, beside }) => {
  const tools = await aToolContext()
  const loud = { file: await noisy(), asked: first }
  const sources = second ? [loud, { file: await quiet(), asked: second }] : [loud]
  const files = { elements: [], beside: new Map<string, string>() }
  if (beside) {
    await copyFile(await beside(), path.join(tools.folder, 'other.wav'))
    files.beside.set(replacedField, 'other.wav')
  }
  const asked = {
    ...options,
    ...(beside && { audio: { replaceUrl: 'https://example.com/a.wav' } }),
  }
  const planned = await planJob(await cutHere(tools, { sources, options: asked, files }))
  const { plan } = await withSoundBits(planned)
  const { facts } = await renderOutput(planned)
  const bitRate = facts.audio?.bitRate ?? 0
  expect(plan.soundBits).toBeGreaterThan(bitRate * 0.8 - 3_000)
  expect(plan.soundBits).toBeLessThan(bitRate * 1.25 + 3_000)
})
