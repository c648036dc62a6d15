import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { guidesPath } from '../../reference/guides/guide-list.ts'
import { Brand } from '../../reference/pages/page-head.tsx'
import { ButtonLink } from '../design/button.tsx'
import { sendPage } from '../send-page.ts'
import { signUpMode } from './sign-up-mode.ts'

const style = `
.page { max-width: 60rem; margin-inline: auto; padding-top: var(--s4); }
.page > .brand { margin-bottom: var(--s6); }
.page h1 { max-width: 24ch; margin-bottom: var(--s3); }
.page .result { width: 100%; height: auto; margin: var(--s4) 0; border-radius: var(--radius); }
.page .lead { max-width: 60ch; margin-bottom: var(--s4); font-size: 1.125rem; }
.does { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: var(--s4); list-style: none; margin: var(--s5) 0; padding: 0; }
.does h2 { font-size: var(--large); margin: 0 0 var(--s1); }
.does p { margin: 0; color: var(--soft); }
`

const does: readonly { title: string; text: string }[] = [
  { title: 'Cuts what nobody needs', text: 'Pauses, um and uh, and any word that you strike out.' },
  {
    title: 'Fits every screen',
    text: 'Tall for phones, square for feeds, with captions that follow the voice.',
  },
  {
    title: 'Cleans the sound',
    text: 'Takes out noise, and makes every speaker as loud as a podcast.',
  },
  {
    title: 'Writes it down',
    text: 'A transcript, caption files, tags and a summary beside the video.',
  },
]

/** GET /app/about: what the service does, for readers who may never write a line of code. */
export async function showAbout(c: Context<AppEnv>): Promise<Response> {
  const isOpen = signUpMode(c) === 'open'
  return sendPage(c, {
    title: 'About',
    heading: null,
    style,
    children: (
      <>
        <Brand href="/app" />
        <h1>Send a video. Get back the one you wanted.</h1>
        <p class="lead">
          Drop a file, choose what it should become, and watch the preview change as you go. Minutes
          later it is ready to watch, share and download.
        </p>
        <p class="row">
          {isOpen && (
            <ButtonLink look="primary" href="/app/sign-up">
              Sign up
            </ButtonLink>
          )}
          <ButtonLink href="/app/sign-in">Sign in</ButtonLink>
        </p>
        <img
          class="result"
          src="/docs/images/first-video.webp"
          alt="A speech in 16:9, and made of it a vertical video with its words as captions"
          width={1000}
          height={360}
        />
        <ul class="does">
          {does.map(({ title, text }) => (
            <li>
              <h2>{title}</h2>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <p>
          Do you write programs? <a href={guidesPath}>The guides</a> show how to do the same with
          one request.
        </p>
      </>
    ),
  })
}
