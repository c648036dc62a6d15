import { expect, it } from 'vitest'
import {
  insightStatuses,
  insightStatusesBefore,
  isTerminal,
  terminalStatuses,
  videoStatuses,
  videoStatusesBefore,
} from '../../worker/contract/video/video-state.ts'

it('videoStatusesBefore allows only the transitions of a video', () => {
  const before = Object.fromEntries(videoStatuses.map((to) => [to, videoStatusesBefore(to)]))
  expect(before).toEqual({
    queued: ['running'],
    running: ['queued'],
    succeeded: ['running'],
    failed: ['queued', 'running'],
    canceled: ['queued', 'running'],
  })
})

it('insightStatusesBefore allows only the transitions of a transcript or analysis', () => {
  const before = Object.fromEntries(insightStatuses.map((to) => [to, insightStatusesBefore(to)]))
  expect(before).toEqual({
    not_requested: ['pending'],
    pending: ['processing'],
    processing: ['pending'],
    completed: ['pending', 'processing'],
    failed: ['pending', 'processing'],
  })
})

it('isTerminal holds for succeeded, failed and canceled', () => {
  expect(terminalStatuses).toEqual(['succeeded', 'failed', 'canceled'])
  expect(videoStatuses.filter((status) => !isTerminal(status))).toEqual(['queued', 'running'])
})
