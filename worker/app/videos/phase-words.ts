import type { TimedWork } from '../../contract/video/video-state.ts'

/** The name of each kind of work, for people. */
export const phaseWords: Readonly<Record<TimedWork, string>> = {
  fetching: 'Fetching',
  measuring: 'Measuring',
  rendering: 'Rendering',
  uploading: 'Storing',
  waiting: 'Waiting',
  transcribing: 'Transcribing',
  analysing: 'Analysing',
}

/** What is said of a video that has ended. */
export const endWords: Readonly<Record<string, string>> = {
  succeeded: 'is ready',
  failed: 'has failed',
  canceled: 'was canceled',
}
