import { existsSync, rmSync } from 'node:fs'
import { stopOwnEngine } from '../../../../scripts/containers/own-engine.ts'
import { startedHere } from './engine.ts'

/** Ends the engine that a test has started, once all files are through with it. */
export async function teardown(): Promise<void> {
  if (!existsSync(startedHere)) return
  rmSync(startedHere)
  await stopOwnEngine()
}
