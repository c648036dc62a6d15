import { Button } from '../design/button.tsx'
import { Field } from '../design/field.tsx'
import { FormAlert } from './form-alert.tsx'
import type { SettingsView } from './read-settings-page.ts'

/** After how many days the videos of the account leave its lists for the archive. */
export function ArchiveForm({ view: { account, sent } }: { view: SettingsView }) {
  const mine = sent?.form === 'archive' ? sent : undefined
  const { archiveAfterDays } = account
  return (
    <form method="post" action="/app/settings/archive">
      <FormAlert sent={mine} />
      <Field
        label="Archive videos after days"
        name="archiveAfterDays"
        id="archive-after-days"
        type="number"
        value={mine?.fields?.['archiveAfterDays'] ?? archiveAfterDays?.toString() ?? ''}
        error={mine?.faults?.['archiveAfterDays']}
        hint="Leave it empty to archive none. An archived video has its address and its record, and is listed under Archived only. No video is archived while its files are kept."
      />
      <Button>Save</Button>
    </form>
  )
}
