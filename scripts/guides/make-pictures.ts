import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { snippetsOf } from './snippets-of.ts'
import { root } from '../machine/checkout.ts'
import { browserProgram } from '../machine/ensure-chromium.ts'

/**
 * Makes the pictures of the README and the cookbook from what a new service makes of their requests, as the pages have
 * them: `SPOOL_BASE_URL=… SPOOL_API_KEY=… SPOOL_SIGN_IN=… node scripts/guides/make-pictures.ts`, where the last
 * is the link that `npm start` prints.
 */
const base = process.env['SPOOL_BASE_URL'] ?? 'http://127.0.0.1:8787'
const headers = { Authorization: `Bearer ${process.env['SPOOL_API_KEY']}` }
const images = path.join(root, 'docs/images')
const examples = path.join(root, 'docs/examples')
const work = mkdtempSync(path.join(tmpdir(), 'spool-pictures-'))
mkdirSync(images, { recursive: true })

const run = promisify(execFile)

async function ffmpeg(...args: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args])
}

async function secondsOf(file: string): Promise<number> {
  const asked = ['-show_entries', 'format=duration', '-of', 'csv=p=0']
  return Number((await run('ffprobe', ['-v', 'error', ...asked, file])).stdout)
}

type Video = { status: string; finalVideoUrl: string; transcript?: { vttUrl: string } }

/** The finished video of the first request of a page. */
async function made(page: string, file = `docs/cookbook/${page}.md`): Promise<Video> {
  const markdown = readFileSync(path.join(root, file), 'utf8')
  const request = snippetsOf(markdown).find(
    ({ lang, text }) => lang === 'sh' && text.includes("-d '"),
  )
  const [, body = ''] = /-d '([\s\S]*)'/.exec(request?.text ?? '') ?? []
  const created = await fetch(`${base}/v1/videos`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: body.replaceAll('http://127.0.0.1:8787', base),
  })
  const { videoId } = (await created.json()) as { videoId: string }
  // The stream of events ends with the video.
  await (await fetch(`${base}/v1/videos/${videoId}/events`, { headers })).text()
  const video = (await (await fetch(`${base}/v1/videos/${videoId}`, { headers })).json()) as Video
  if (video.status !== 'succeeded') throw new Error(`${page}: ${JSON.stringify(video)}`)
  return video
}

const webp = (name: string) => [
  ...['-frames:v', '1', '-c:v', 'libwebp', '-quality', '82'],
  path.join(images, `${name}.webp`),
]

/** The sound of a source above that of its result, on one scale of time. */
async function pictureOfSound(page: string, source: string): Promise<void> {
  const { finalVideoUrl } = await made(page)
  const before = path.join(examples, source)
  const seconds = await secondsOf(before)
  const wave = (colour: string) =>
    `aformat=channel_layouts=mono,apad=whole_dur=${seconds},showwavespic=s=1200x150:colors=${colour}:scale=sqrt`
  const graph = `color=c=0xfbfaf8:s=1200x310[paper];[0:a]${wave('0x635d54')}[a];[1:a]${wave('0xb8421f')}[b];[paper][a]overlay=0:0[x];[x][b]overlay=0:160`
  await ffmpeg('-i', before, '-i', finalVideoUrl, '-filter_complex', graph, ...webp(page))
}

async function pictureOfShapes(
  name: string,
  source: string,
  { finalVideoUrl }: Video,
): Promise<void> {
  const graph =
    'color=c=black@0:s=1000x360,format=rgba[paper];[0:v]scale=640:360[a];[1:v]scale=-2:360[b];[paper][a]overlay=0:0[x];[x][b]overlay=720:0'
  const before = ['-ss', '6.4', '-i', path.join(examples, source)]
  const after = ['-ss', '6.4', '-i', finalVideoUrl]
  await ffmpeg(...before, ...after, '-filter_complex', graph, ...webp(name))
}

async function pictureOfMoments(): Promise<void> {
  const { finalVideoUrl } = await made('join-clips')
  const inputs = ['1.5', '6', '20'].flatMap((second) => ['-ss', second, '-i', finalVideoUrl])
  const small = [0, 1, 2].map((i) => `[${i}:v]scale=400:-2[s${i}]`).join(';')
  await ffmpeg(...inputs, '-filter_complex', `${small};[s0][s1][s2]hstack=3`, ...webp('join-clips'))
}

/** A picture of what a browser shows in a window of this size. */
async function pictureOfPage(
  name: string,
  viewport: { width: number; height: number },
  open: (page: Page) => Promise<unknown>,
): Promise<void> {
  const browser = await chromium.launch({
    executablePath: browserProgram() ?? '',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ viewport })
  await open(page)
  const shot = path.join(work, `${name}.png`)
  await page.screenshot({ path: shot })
  await browser.close()
  await ffmpeg('-i', shot, ...webp(name))
}

/** A real player, which draws the captions itself. */
async function pictureOfCaptions(): Promise<void> {
  const { finalVideoUrl, transcript } = await made('captions')
  await pictureOfPage('captions', { width: 800, height: 450 }, async (page) => {
    await page.setContent(
      `<body style="margin:0;background:#000"><video width="800" height="450" muted crossorigin src="${finalVideoUrl}"><track default src="${transcript?.vttUrl}"></video></body>`,
    )
    await page.evaluate(`new Promise((resolve) => {
      const video = document.querySelector('video')
      video.addEventListener('seeked', resolve, { once: true })
      video.currentTime = 4.6
    })`)
    await page.waitForFunction(`document.querySelector('track').track.activeCues?.length === 1`)
  })
}

/** The list with what the other pictures were made of. */
async function pictureOfDashboard(): Promise<void> {
  await pictureOfPage('dashboard', { width: 1200, height: 760 }, async (page) => {
    await page.goto(process.env['SPOOL_SIGN_IN'] ?? '')
    await page.goto(`${base}/app/videos`)
  })
}

await pictureOfSound('podcast', 'talk.mp4')
await pictureOfSound('long-interview', 'interview.mp4')
await pictureOfShapes('first-video', 'speech.mp4', await made('first-video', 'README.md'))
await pictureOfShapes('vertical-clip', 'talk.mp4', await made('vertical-clip'))
await pictureOfMoments()
await pictureOfCaptions()
await pictureOfDashboard()
rmSync(work, { recursive: true })
