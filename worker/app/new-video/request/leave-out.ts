import type { Request } from './build-request.ts'

/** The request without these fields. */
export function leaveOut(request: Request, ...names: readonly string[]): Request {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)))
}
