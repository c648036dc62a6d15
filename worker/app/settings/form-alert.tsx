import { Notice } from '../design/notice.tsx'
import type { Sent } from './read-settings-page.ts'

/** What is wrong with a form as a whole, above its fields. */
export function FormAlert({ sent }: { sent: Sent | undefined }) {
  if (sent?.alert === undefined) return null
  return (
    <Notice tone="bad" role="alert">
      {sent.alert}
    </Notice>
  )
}
