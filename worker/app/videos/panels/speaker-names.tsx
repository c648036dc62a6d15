import { limits } from '../../../contract/limits.ts'
import { isHls } from '../../../contract/options/outputs/output-hls.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { Button } from '../../design/button.tsx'
import { Field } from '../../design/field.tsx'
import { formatSeconds } from '../../design/formats.ts'

/** `names`: the names that were entered, by the name that the job gave the voice. */
export type RefusedSpeakers = { names: Readonly<Record<string, string>>; fault: string }

type NamesFacts = { record: VideoRecord; refused: RefusedSpeakers | undefined }

/** The name of the form field for a voice. */
export const fieldOf = (place: number) => `speaker-${place}`

/** Each voice that was told apart, even if two have one name. */
export const voicesOf = (
  speakers: readonly NonNullable<NonNullable<VideoRecord['transcript']>['speakers']>[number][],
) =>
  speakers.flatMap(({ name, seconds, heardAs = [name] }) =>
    heardAs.map((heard) => ({ heard, name, ...(heardAs.length === 1 && { seconds }) })),
  )

/** Whether captions of a stream may have left the service: they are the only files with names that can. */
function isStreamSent({ destinations = [], outputs = [] }: VideoRecord): boolean {
  return destinations.length > 0 && outputs.some(({ outputFormat }) => isHls(outputFormat))
}

/** A field for the name of each voice. Scripts also let a name be changed where it stands in the transcript. */
export function SpeakerNames({ record, refused }: NamesFacts) {
  const { videoId, transcript } = record
  const { speakers = [], speakersCertain } = transcript ?? {}
  if (speakers.length === 0) return null
  return (
    <details class="rename speakers" id="speakers" open={refused !== undefined}>
      <summary>
        {speakers.map(({ name, seconds }) => `${name}, ${formatSeconds(seconds)}`).join(' · ')}
        <span> · Name the speakers</span>
      </summary>
      {speakersCertain === false && (
        <p>It is not certain who speaks: the voices are alike, or there is little of them.</p>
      )}
      <form method="post" action={`/app/videos/${videoId}/speakers`} data-speakers>
        {voicesOf(speakers).map(({ heard, name, seconds }, i) => (
          <>
            <input type="hidden" name="heard" value={heard} />
            <input type="hidden" name="was" value={name} />
            <Field
              label={seconds === undefined ? heard : `${heard}, ${formatSeconds(seconds)}`}
              name="name"
              id={fieldOf(i)}
              value={refused?.names[heard] ?? name}
              placeholder={heard}
              maxlength={limits.speakerNameLength}
              autocomplete="off"
            />
          </>
        ))}
        <Button>Save names</Button>
        <p class="fault" role="alert" data-fault>
          {refused?.fault}
        </p>
      </form>
      <p class="soft">
        Two with the same name become one. An empty field gives the first name back.
        {isStreamSent(record) && ' Streams that were sent to a bucket keep the names they have.'}
      </p>
    </details>
  )
}
