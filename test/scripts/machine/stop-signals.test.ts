import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { listenForStop } from '../../../scripts/machine/stop-signals.ts'

function listen() {
  const signals = new EventEmitter()
  const state = { nowMs: 1000, endedAtOnce: false }
  const stop = listenForStop(
    signals,
    () => (state.endedAtOnce = true),
    () => state.nowMs,
  )
  return { signals, state, stop }
}

describe('listenForStop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])(
    'asks for an orderly end on %s',
    (event) => {
      const { signals, state, stop } = listen()
      expect(stop.aborted).toBe(false)
      signals.emit(event)
      expect(stop.aborted).toBe(true)
      expect(state.endedAtOnce).toBe(false)
    },
  )

  it('counts a signal that arrives in several ways as one', () => {
    const { signals, state } = listen()
    signals.emit('SIGINT')
    state.nowMs += 500
    signals.emit('SIGINT')
    expect(state.endedAtOnce).toBe(false)
  })

  it('ends at once on a second one', () => {
    const { signals, state } = listen()
    signals.emit('SIGINT')
    state.nowMs += 501
    signals.emit('SIGINT')
    expect(state.endedAtOnce).toBe(true)
  })
})
