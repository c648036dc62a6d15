import { nearestName } from '../../worker/contract/input/nearest-name.ts'

/** ` Did you mean revoke?`, or an empty text if no known name is near. */
export function suggestion(asked: string, known: readonly string[]): string {
  const nearest = nearestName(asked, known)
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}
