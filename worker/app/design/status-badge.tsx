import type { VideoStatus } from '../../contract/video/video-state.ts'

export type Tone = 'good' | 'busy' | 'bad' | 'idle'

/** A shape for each tone, so that colour never says anything alone. */
const shapes: Record<Tone, string> = {
  good: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM7 11.2 3.9 8.1l1.1-1.1 2 2L11 5l1.1 1.1z',
  busy: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8a5.4 5.4 0 0 1 0-10.8z',
  bad: 'M8 1 15.5 14.5H.5zM7.2 6v4.2h1.6V6zm0 5.2v1.6h1.6v-1.6z',
  idle: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6z',
}

export function ToneShape({ tone }: { tone: Tone }) {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={shapes[tone]} />
    </svg>
  )
}

/** A state: a colour, a shape and a word. */
export function Badge({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span class={`badge ${tone}`}>
      <ToneShape tone={tone} />
      {word}
    </span>
  )
}

/** The word and the tone of each status of a video, wherever people read it. */
export const statusWords: Readonly<Record<VideoStatus, { word: string; tone: Tone }>> = {
  queued: { word: 'Queued', tone: 'idle' },
  running: { word: 'Working', tone: 'busy' },
  succeeded: { word: 'Ready', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  canceled: { word: 'Canceled', tone: 'idle' },
}

export function StatusBadge({ status }: { status: VideoStatus }) {
  return <Badge {...statusWords[status]} />
}

/** How far something is, from 0 to 100. */
export function ProgressBar({ percent, label }: { percent: number; label: string }) {
  return <progress class="progress" max={100} value={percent} aria-label={label}></progress>
}
