import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import type { ToolContext } from '../../../../containers/ffmpeg/process/run-tool.ts'
import { fillersIn } from '../../../../containers/insight/edit/cut-spoken.ts'
import { hearFillers } from '../../../../containers/insight/edit/hear-fillers.ts'
import { transcribeSources } from '../../../../containers/insight/transcribe-video.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { cutTimeline } from '../../../../containers/timeline/cut-list.ts'
import { decodeSound } from '../../../../containers/sound/prepare-sound.ts'
import type { VoiceDetector } from '../../../../containers/sound/pauses/voice-activity.ts'
import type { SpeechProvider } from '../../../../containers/speech/speech-provider.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { rate } from './voices.ts'
import type { Label } from './filler-talk.ts'

const run = promisify(execFile)
const fps = 30

type Ears = {
  readonly tools: ToolContext
  readonly speech: SpeechProvider
  readonly voices: VoiceDetector
}

type Cut = Label & { readonly why: 'filler' | 'repeat'; readonly isHeard: boolean }

/** What `removeFillers` cuts out of a talk. */
export async function cutFillers(ears: Ears, samples: Float32Array): Promise<Cut[]> {
  const { tools, speech: provider, voices } = ears
  const clips = [openClip('talk.mp4', await writeVideo(tools, samples), {})]
  const cut = cutTimeline(clips, {})
  const decoded = await decodeSound(tools, {
    ...{ clips, ...cut },
    options: optionsSchema.parse({ removeFillers: true }),
    voices,
    isTranscribed: true,
    onProgress: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
  if (!decoded) throw new Error('The talk has no sound')
  const sources = { clips, ...cut, sound: decoded }
  const speech = await transcribeSources(tools, {
    sources,
    provider,
    onProgress: () => undefined,
  })
  const sounds = await hearFillers(tools, { ...sources, speech }, { speech: provider, voices })
  return fillersIn(speech, { ...sources, sounds }).map(({ from, to, why, text }) => ({
    from: from / fps,
    to: to / fps,
    why,
    isHeard: text === undefined,
  }))
}

async function writeVideo(tools: ToolContext, samples: Float32Array) {
  const { folder } = tools
  await writeFile(path.join(folder, 'talk.f32'), samples)
  const picture = ['-f', 'lavfi', '-i', `color=s=64x64:r=${fps}:d=${samples.length / rate}`]
  const raw = ['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', 'talk.f32', '-ar', '48000']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '128k']
  const args = ['-nostdin', '-v', 'error', '-y', ...picture, ...raw, ...coding, 'talk.mp4']
  await run('ffmpeg', args, { cwd: folder })
  return measureMedia(tools, { path: 'talk.mp4', field: 'talk', maxSeconds: 3_600 })
}
