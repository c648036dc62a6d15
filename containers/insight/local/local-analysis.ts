import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import {
  AnalysisFailure,
  unknownLocation,
  type Analysis,
  type AnalysisProvider,
  type AnalysisSubject,
} from '../analysis-provider.ts'
import type { Speech } from '../../timeline/speech.ts'
import { sampleFrames, type SampledFrames } from '../frames/sample-frames.ts'
import {
  confirmObjects,
  animals,
  vehicles,
  type ConfirmedObject,
} from '../objects/confirm-objects.ts'
import type { Sight } from '../objects/object-model.ts'
import type { AnalysisThread } from './analysis-thread.ts'
import { describePicture, type PictureDescription } from './describe-picture.ts'
import { sceneSettingOf, type SceneSetting } from './scene-setting.ts'
import { writeSummary, type SummaryFacts } from './write-summary.ts'

/** The size that the model was made for; it recognises more in small pictures if they are enlarged. */
const sampling = { maxPixels: 250_000, maxEnlargement: 2, maxFrames: 16 }

/** The percentage at which each part of the work begins. */
const shares = { frames: 5, sights: 40, words: 90 }

/** Many times the usual length of an analysis: one that takes longer will never end. */
const patienceSeconds = 300

/** Describes a video by its pictures, its speech and its file on this machine; nothing leaves it. */
export function localAnalysis(
  thread: AnalysisThread,
  limitSeconds = patienceSeconds,
): AnalysisProvider {
  return {
    name: 'local',
    async analyse(subject, tools, onProgress) {
      const limit = AbortSignal.timeout(limitSeconds * 1_000)
      const signal = AbortSignal.any([tools.signal, limit])
      try {
        return await analyse(thread, subject, { tools: { ...tools, signal }, onProgress })
      } catch (error) {
        tools.signal.throwIfAborted()
        if (!limit.aborted) throw error
        // A stuck task would block the thread for every other job.
        await thread.close()
        const message = `Analysis failed: it took longer than ${limitSeconds} seconds.`
        throw new AnalysisFailure(message, { cause: error })
      }
    },
  }
}

type AnalysisRun = { readonly tools: ToolContext; readonly onProgress: (percent: number) => void }

async function analyse(
  thread: AnalysisThread,
  subject: AnalysisSubject,
  { tools, onProgress }: AnalysisRun,
): Promise<Analysis> {
  onProgress(shares.frames)
  const sampled = await sampleFrames(tools, subject.video, sampling)
  const sights = await lookAtEach(thread, sampled, {
    signal: tools.signal,
    onShare: (share) =>
      onProgress(Math.round(shares.sights + (shares.words - shares.sights) * share)),
  })
  onProgress(shares.words)
  const analysis = await describe(thread, subject, { sampled, sights, tools })
  onProgress(100)
  return analysis
}

async function lookAtEach(
  thread: AnalysisThread,
  { frames }: SampledFrames,
  { signal, onShare }: { signal: AbortSignal; onShare: (share: number) => void },
): Promise<Sight[]> {
  const sights: Sight[] = []
  for (const [i, frame] of frames.entries()) {
    onShare(i / frames.length)
    sights.push(await thread.ask('lookAt', frame, signal))
  }
  return sights
}

type Findings = { sampled: SampledFrames; sights: readonly Sight[]; tools: ToolContext }

async function describe(
  thread: AnalysisThread,
  { video, speech, coordinates }: AnalysisSubject,
  { sampled: { looks }, sights, tools: { signal } }: Findings,
): Promise<Analysis> {
  const hasWords = speech !== undefined && speech.segments.length > 0
  const said = hasWords ? await thread.ask('describeSpeech', speech, signal) : undefined
  const filmed = coordinates && (await thread.ask('namePlace', coordinates, signal))
  const objects = confirmObjects(sights.map((sight) => sight.objects))
  const traits = sights.map((sight) => sight.traits)
  const setting = sceneSettingOf(looks, traits, objects)
  const picture = describePicture(looks)
  const { facts } = video
  return {
    tags: chooseTags({ objects, setting, picture, keywords: said?.keywords ?? [] }),
    summary: writeSummary({
      durationSeconds: facts.durationSeconds,
      width: facts.video.width,
      height: facts.video.height,
      sound: soundOf(facts.audio !== undefined, speech),
      picture,
      objects,
      setting,
      sentences: said?.sentences ?? [],
    }),
    estimatedLocation: filmed ?? said?.place ?? whereIn(setting) ?? unknownLocation,
  }
}

/** A sound whose words were not recognised may still be speech. */
function soundOf(hasSound: boolean, speech: Speech | undefined): SummaryFacts['sound'] {
  if (!hasSound) return 'none'
  if (!speech) return undefined
  return speech.segments.length > 0 ? 'speech' : 'no speech'
}

function whereIn({ room, isOutdoors }: SceneSetting): string | undefined {
  if (room === 'street' || !isOutdoors) return room
  return 'outdoors'
}

const maxTags = 20

type TagSources = {
  readonly objects: readonly ConfirmedObject[]
  readonly setting: SceneSetting
  readonly picture: PictureDescription
  readonly keywords: readonly string[]
}

/** Tags for the objects, their kinds, the setting, the look of the picture and the topics of the speech, each once. */
export function chooseTags({ objects, setting, picture, keywords }: TagSources): string[] {
  const seen = objects.map(({ label }) => label)
  const kinds = [
    ...(objects.some(({ label, count }) => label === 'person' && count > 1) ? ['people'] : []),
    ...(seen.some((label) => animals.has(label)) ? ['animal'] : []),
    ...(seen.some((label) => vehicles.has(label)) ? ['vehicle'] : []),
  ]
  const { room, isOutdoors, isGreen, hasBlueSky } = setting
  const look = [
    // Outdoors, a piece of furniture does not make a room.
    ...(room !== undefined && (!isOutdoors || room === 'street') ? [room] : []),
    ...(isOutdoors ? ['outdoors'] : []),
    ...(hasBlueSky ? ['blue sky'] : []),
    ...(isGreen ? ['greenery'] : []),
    ...(picture.isGray && !picture.isBlank ? ['black and white'] : []),
  ]
  const tags = new Map<string, string>()
  for (const tag of [...seen, ...kinds, ...look, ...keywords]) {
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()].slice(0, maxTags)
}
