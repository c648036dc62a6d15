import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Shell text that spoils the film `$made`. `spoil` makes another one of it with these arguments of ffmpeg, which is `$real`.
 */
export type Spoiling = string

export type FaultyFfmpeg = {
  /** The search path of a media worker that runs it. */
  readonly path: string
  /** How the films that it writes from now on are spoilt: each of them, or only the first one of a job. */
  plant(spoiling: Spoiling, when?: 'once' | 'always'): Promise<void>
  remove(): Promise<void>
}

const spoilFunction = `spoil() {
  $real -nostdin -v error -y -i "$made" "$@" -movflags +faststart spoilt.mp4 && mv spoilt.mp4 "$made"
}`

/** Spoils a film that was made before, in its folder. */
export function spoilFile(folder: string, made: string, spoiling: Spoiling): void {
  const script = `set -e\nreal=ffmpeg\nmade=${made}\n${spoilFunction}\n${spoiling}`
  execFileSync('sh', ['-c', script], { cwd: folder })
}

const results = {
  films: 'out.mp4|quality*.mp4|fit*.mp4',
  others: 'sound[0-9]*.*|moving*.gif|moving*.webp|still*.jpg|sprite*sheet*.jpg|stream*-*.mp4',
} as const

/** An ffmpeg that does all that it is asked for, but spoils each film that becomes a result, or each result of another kind. */
export async function makeFaultyFfmpeg(of: keyof typeof results = 'films'): Promise<FaultyFfmpeg> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-faulty-'))
  // Another user than that of the media worker runs it, and another test may have set a mask for new files.
  await chmod(folder, 0o755)
  const real = execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim()
  const fault = path.join(folder, 'fault')
  const script = `#!/bin/bash
real=${real}
$real "$@" || exit 1
${spoilFunction}
before=
for each; do
  case "$before $each" in
    -i*) ;;
    *" file:"*)
      made="\${each#file:}"
      # One run may write several stills, whose names it counts.
      for made in \${made/\\%d/*}; do
        case "$made" in *.list | *.graph) ;; ${results[of]}) . ${fault} ;; esac
      done
      ;;
  esac
  before="$each"
done
`
  const ffmpeg = path.join(folder, 'ffmpeg')
  await writeFile(ffmpeg, script)
  await chmod(ffmpeg, 0o755)
  return {
    path: `${folder}:${process.env['PATH'] ?? ''}`,
    async plant(spoiling, when = 'always') {
      const guard = when === 'once' ? '[ -e was-spoilt ] && return\ntouch was-spoilt\n' : ''
      await writeFile(fault, `${guard}${spoiling}\n`)
      await chmod(fault, 0o644)
    },
    remove: async () => rm(folder, { recursive: true, force: true }),
  }
}
