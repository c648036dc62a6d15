import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { AnalysisThread } from '../../containers/insight/local/analysis-thread.ts'
import { localAnalysis } from '../../containers/insight/local/local-analysis.ts'
import { describeMachine } from '../machine.ts'
import { readOptions } from '../read-options.ts'
import { toolsIn } from '../tools-in.ts'
import { pictures, type LabelledPicture } from './pictures.ts'
import { readResources } from './read-resources.ts'

export const seenHelp = `Usage: npm run bench -- seen

Makes a clip of each of ${pictures.length} photographs whose content is known, has the local analysis describe it, and counts
the tags that are right. The photographs are in a Debian package, which apt-get downloads (44 MB). About two minutes.
`

const run = promisify(execFile)
const debianPackage = 'gcompris-qt-data'
const resourceFolder = 'usr/share/gcompris-qt/rcc'
/** The least share of right tags among those given. */
const leastPrecision = 0.95

type Judged = { readonly right: number; readonly wrong: readonly string[]; readonly missed: number }

export async function runSeen(args: readonly string[], stop: AbortSignal): Promise<number> {
  readOptions(args, {}, seenHelp)
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-bench-seen-'))
  const thread = new AnalysisThread()
  try {
    process.stdout.write(`${describeMachine()}\n\n`)
    const files = await fetchPictures(folder)
    const judged: Judged[] = []
    for (const picture of pictures) {
      stop.throwIfAborted()
      const tags = await tagsOf(thread, contentOf(files, picture), { folder, stop })
      judged.push(judge(picture, tags))
      process.stdout.write(rowOf(picture, tags))
    }
    return report(judged)
  } finally {
    await thread.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function fetchPictures(folder: string): Promise<Map<string, Buffer>> {
  await run('apt-get', ['download', debianPackage], { cwd: folder })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'))
  if (archive === undefined) throw new Error(`apt-get brought no ${debianPackage}`)
  await run('dpkg-deb', ['-x', path.join(folder, archive), folder])
  const files = new Map<string, Buffer>()
  for (const name of await readdir(path.join(folder, resourceFolder))) {
    if (!name.endsWith('.rcc')) continue
    const found = readResources(await readFile(path.join(folder, resourceFolder, name)))
    for (const [file, content] of found) files.set(file, content)
  }
  return files
}

function contentOf(files: ReadonlyMap<string, Buffer>, { file }: LabelledPicture): Buffer {
  const content = [...files].find(([name]) => name.endsWith(`/${file}`))?.[1]
  if (!content) throw new Error(`${debianPackage} has no ${file}`)
  return content
}

/** The tags of a video of one second in which the camera moves over the picture a little. */
async function tagsOf(
  thread: AnalysisThread,
  content: Buffer,
  { folder, stop }: { folder: string; stop: AbortSignal },
): Promise<readonly string[]> {
  const still = path.join(folder, 'picture.webp')
  await writeFile(still, content)
  const moving = 'crop=trunc(iw*0.46)*2:trunc(ih*0.46)*2:x=(iw-ow)*t:y=(ih-oh)*t'
  const reading = ['-framerate', '3', '-loop', '1', '-t', '1', '-i', still]
  const coding = ['-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p', '-f', 'mp4']
  const made = ['-v', 'error', '-y', ...reading, '-vf', moving, ...coding, path.join(folder, 'out')]
  await run('ffmpeg', made)
  const tools = toolsIn(folder, stop, {
    limits: { stallMs: 300_000, wallMs: 600_000, memoryBytes: 4 * 1024 ** 3 },
  })
  const facts = await measureMedia(tools, { path: 'out', field: 'result', maxSeconds: 60 })
  const subject = { video: { name: 'out', facts }, speech: undefined, coordinates: undefined }
  return (await localAnalysis(thread).analyse(subject, tools, () => undefined)).tags
}

/** A general tag such as `animal` is right if the thing itself is. */
function judge({ wanted, allowed }: LabelledPicture, tags: readonly string[]): Judged {
  const fitting = new Set([...wanted, ...allowed])
  const wrong = tags.filter((tag) => !fitting.has(tag))
  const missed = wanted.filter((tag) => !tags.includes(tag)).length
  return { right: tags.length - wrong.length, wrong, missed }
}

function rowOf(picture: LabelledPicture, tags: readonly string[]): string {
  const { wrong } = judge(picture, tags)
  const fault = wrong.length > 0 ? `   WRONG: ${wrong.join(', ')}` : ''
  return `${path.basename(picture.file, '.webp').padEnd(22)} ${tags.join(', ')}${fault}\n`
}

function report(judged: readonly Judged[]): number {
  const sum = (of: (each: Judged) => number): number =>
    judged.reduce((total, each) => total + of(each), 0)
  const [right, wrong, missed] = [
    sum((each) => each.right),
    sum(({ wrong }) => wrong.length),
    sum((each) => each.missed),
  ]
  const wanted = pictures.reduce((total, each) => total + each.wanted.length, 0)
  const precision = right / Math.max(1, right + wrong)
  const share = (value: number): string => `${(value * 100).toFixed(1)} %`
  process.stdout.write(
    `\n${right + wrong} tags given, ${share(precision)} of them right; ` +
      `${share((wanted - missed) / wanted)} of ${wanted} wanted tags given\n`,
  )
  process.stdout.write(precision >= leastPrecision ? 'ok\n' : 'below the limit\n')
  return precision >= leastPrecision ? 0 : 1
}
