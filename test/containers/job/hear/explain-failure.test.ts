import { expect, it } from 'vitest'
import { createLog } from '../../../../containers/errors/log.ts'
import { explainFailure } from '../../../../containers/job/hear/hear-speech.ts'
import { ProviderFault } from '../../../../containers/providers/provider-fault.ts'
import { SpeechFailure } from '../../../../containers/speech/speech-provider.ts'
import { newsOf } from '../../../../scripts/start/output/terminal-lines.ts'

it.each([
  ['shows the operator a provider that fails', { cause: new ProviderFault('key-refused') }, true],
  ['keeps in the log what is not a fault of the service', {}, false],
])('%s', (_, options, isShown) => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const { signal } = new AbortController()
  const error = new SpeechFailure('Transcription failed: because.', options)
  expect(explainFailure({ log, signal }, error, '')).toBe('Transcription failed: because.')
  expect(lines).toHaveLength(1)
  const told = 'A transcript or an analysis failed: Transcription failed: because.'
  expect(newsOf('media-1', String(lines[0]), false)?.text).toBe(
    isShown ? `[media-1] ${told}` : undefined,
  )
})
