import type { VideoRecord } from '../../contract/video/video-record.ts'
import { limits } from '../../contract/limits.ts'
import { Button } from '../design/button.tsx'
import { Field } from '../design/field.tsx'

export type RefusedName = { videoName: string; fault: string }

export function RenameForm({
  record: { videoId, videoName },
  refused,
}: {
  record: VideoRecord
  refused: RefusedName | undefined
}) {
  return (
    <details class="rename" open={refused !== undefined}>
      <summary>Rename</summary>
      <form method="post" action={`/app/videos/${videoId}`}>
        <Field
          label="Name"
          name="videoName"
          value={refused?.videoName ?? videoName}
          error={refused?.fault}
          maxlength={limits.videoNameLength}
          autocomplete="off"
          required
        />
        <Button>Save name</Button>
      </form>
    </details>
  )
}
