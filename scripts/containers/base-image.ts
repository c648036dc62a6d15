import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../machine/checkout.ts'
import { runCommand } from '../machine/run-command.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { build, dock, type Engine } from './engine.ts'

type Say = (line: string) => void

/** The base of both images, as `containers/Dockerfile` names it: the tag, and the digest of what Docker Hub has under it. */
export function baseOf(dockerfile: string): { tag: string; digest: string } {
  const [, tag = '', digest = ''] = /^FROM (\S+?)@(sha256:\S+)/m.exec(dockerfile) ?? []
  return { tag, digest }
}

/**
 * A Dockerfile that this engine can build: as it stands where its base is here or can be fetched; otherwise with a base
 * made on this machine, which has the tag and no digest.
 */
export async function buildable(engine: Engine, file: string, say: Say): Promise<string> {
  const text = readFileSync(path.join(root, file), 'utf8')
  const { tag, digest } = baseOf(text)
  const exact = `${tag}@${digest}`
  if (dock(engine, 'image', 'inspect', exact) !== undefined) return text
  const withoutDigest = text.replaceAll(`@${digest}`, '')
  if (dock(engine, 'image', 'inspect', tag) !== undefined) return withoutDigest
  say(`Fetching ${tag} …`)
  if (dock(engine, 'pull', '--quiet', exact) !== undefined) return text
  await makeBase(engine, tag, say)
  return withoutDigest
}

const debianSuite = /-(bookworm|trixie)-slim$/
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const mmdebstrap = '/usr/bin/mmdebstrap'

/**
 * Makes the base from Debian's archive and npm, with the certificates that this machine trusts: where an image registry
 * cannot be reached, another authority often signs for the network.
 */
async function makeBase(engine: Engine, tag: string, say: Say): Promise<void> {
  const suite = debianSuite.exec(tag)?.[1] ?? ''
  if (!existsSync(mmdebstrap) || process.getuid?.() !== 0) {
    throw new StopWithMessage(
      `No image registry can be reached for ${tag}. It can be made from Debian's archive and npm instead. On Debian, as root:\n\n  npm run containers -- --install`,
    )
  }
  say(`No image registry can be reached: making ${tag} from Debian's archive and npm …`)
  const work = mkdtempSync(path.join(tmpdir(), 'spool-base-'))
  try {
    await mustRun(mmdebstrap, [
      ...['--quiet', '--variant=minbase', '--include=ca-certificates', suite],
      path.join(work, 'debian.tar'),
    ])
    writeNode(path.join(work, 'root/usr/local'))
    await mustRun('npm', [
      ...['install', '--silent', '--no-save', '--prefix', path.join(work, 'npm'), 'npm@11'],
    ])
    writeFileSync(path.join(work, 'Dockerfile'), baseDockerfile)
    build(engine, { tag, context: work, file: path.join(work, 'Dockerfile') })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The package `node` contains the same program as the official image. */
function writeNode(place: string): void {
  for (const folder of ['bin', 'etc']) mkdirSync(path.join(place, folder), { recursive: true })
  const node = path.join(place, 'bin/node')
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  if (!existsSync(certificates)) return
  copyFileSync(certificates, path.join(place, 'etc/ca-certificates.crt'))
  writeFileSync(path.join(place, 'etc/npmrc'), `cafile=${certificates}\n`)
}

const baseDockerfile = `FROM scratch
ADD debian.tar /
COPY root /
COPY npm/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
    && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node \\
    && if [ -f /usr/local/etc/ca-certificates.crt ]; then \\
        mv /usr/local/etc/ca-certificates.crt ${certificates}; fi
CMD ["node"]
`

async function mustRun(program: string, args: readonly string[]): Promise<void> {
  const code = await runCommand(program, args)
  if (code !== 0) throw new StopWithMessage(`${program} ended with ${code}.`)
}
