import { portState, type PortState } from '../machine/ports.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import type { Settings } from './settings.ts'

/** Stops with advice if the service cannot listen where it was told to. */
export async function requirePort({ HOST, PORT }: Settings): Promise<void> {
  const state = await portState(HOST, PORT)
  if (state !== 'free') throw new StopWithMessage(adviceFor(state, HOST, PORT))
}

function adviceFor(state: Exclude<PortState, 'free'>, host: string, port: number): string {
  switch (state) {
    case 'taken': {
      const other = port < 65_535 ? port + 1 : 8787
      return `Port ${port} is already in use. Stop what listens there, or start Spool with another one: PORT=${other} npm start`
    }
    case 'forbidden':
      return `Port ${port} may not be used by this user. Start Spool with one above 1023: PORT=8787 npm start`
    case 'foreign':
      return `HOST=${host} is not an address of this machine. Use one of its own, or 0.0.0.0 for all: HOST=0.0.0.0 npm start`
  }
}
