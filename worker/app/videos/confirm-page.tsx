import type { VideoCard } from '../../store/videos/video-cards.ts'
import type { PageContent } from '../design/app-page.tsx'
import { Button, ButtonLink } from '../design/button.tsx'
import { formatCount } from '../design/formats.ts'
import { asked, type Action } from './video-actions.ts'

type ConfirmProps = { action: Action; videos: readonly VideoCard[]; back: string }

/** Asks for confirmation of something that cannot be undone, where no script could. */
export function confirmPage({ action, videos, back }: ConfirmProps): PageContent {
  const { title, ends } = asked[action]
  const what = `${title} ${formatCount(videos.length, 'video')}`
  return {
    title: what,
    heading: `${what}?`,
    section: 'videos',
    children: (
      <>
        <ul>
          {videos.map(({ name }) => (
            <li dir="auto">{name}</li>
          ))}
        </ul>
        <p>{ends}</p>
        <form method="post" action="/app/videos" class="row">
          <input type="hidden" name="back" value={back} />
          {videos.map(({ id }) => (
            <input type="hidden" name="videoId" value={id} />
          ))}
          <Button look="primary" name="action" value={`${action}-confirmed`}>
            {what}
          </Button>
          <ButtonLink href={back}>Go back</ButtonLink>
        </form>
      </>
    ),
  }
}
