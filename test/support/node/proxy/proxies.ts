import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serverPrograms } from '../../../../scripts/machine/ensure-campaign-programs.ts'
import { freePort } from '../free-port.ts'

/** The name that the configurations in self-hosting/ have, and that clients of the tests ask for. */
export const publicName = 'video.example.com'

const configs = path.join(import.meta.dirname, '../../../../self-hosting')

/** A proxy of Debian on loopback, with the configuration that docs/operators/self-hosting.md tells people to use. */
export class Proxy {
  readonly port: number
  readonly certificate: string
  readonly #process: ChildProcess
  readonly #folder: string
  #said = ''

  private constructor(program: ChildProcess, port: number, folder: string) {
    this.#process = program
    program.stderr?.on('data', (piece: Buffer) => (this.#said += String(piece)))
    this.port = port
    this.#folder = folder
    this.certificate = readFileSync(path.join(folder, 'cert.pem'), 'utf8')
  }

  static async start(name: 'nginx' | 'caddy', servicePort: number): Promise<Proxy> {
    const folder = mkdtempSync(path.join(tmpdir(), `spool-${name}-`))
    const [port, plain] = [await freePort(), await freePort()]
    makeCertificate(folder)
    mkdirSync(path.join(folder, 'temporary'))
    const args = name === 'nginx' ? forNginx(folder, servicePort, port, plain) : forCaddy(folder)
    const program = spawn(serverPrograms[name], args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        HOME: folder,
        XDG_DATA_HOME: folder,
        // As compose.yaml sets them.
        SPOOL_HOST: `https://${publicName}:${port}`,
        SPOOL_UPSTREAM: `127.0.0.1:${servicePort}`,
        TMPDIR: path.join(folder, 'temporary'),
      },
    })
    return new Proxy(program, port, folder)
  }

  /** The files in which it has put a body that should only pass through. */
  get buffered(): string[] {
    const folder = path.join(this.#folder, 'temporary')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    return files.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  /** What nginx says of bodies that it has written to disk, whose files are gone at once. */
  get complaints(): string[] {
    const lines = this.#read('error.log').split('\n')
    return lines.filter((line) => /buffered|\[(error|crit|alert|emerg)\]/.test(line))
  }

  /** The paths that were asked for. */
  get asked(): string {
    return this.#read('access.log') + this.#said
  }

  /** The most memory that it has ever had. */
  get peakBytes(): number {
    const status = readFileSync(`/proc/${this.#process.pid ?? 0}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #read(name: string): string {
    const files = readdirSync(this.#folder)
    return files.includes(name) ? readFileSync(path.join(this.#folder, name), 'utf8') : ''
  }
}

function makeCertificate(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', path.join(folder, 'key.pem'), '-out', path.join(folder, 'cert.pem')]
  const name = ['-subj', `/CN=${publicName}`, '-addext', `subjectAltName=DNS:${publicName}`]
  const args = ['req', '-x509', '-days', '2', ...key, ...files, ...name]
  execFileSync(serverPrograms.openssl, args, { stdio: 'ignore' })
}

/** The site as it is, but for ports and certificate, in the least that nginx needs around it. */
function forNginx(folder: string, servicePort: number, port: number, plain: number): string[] {
  const site = replaced('nginx.conf', [
    ['127.0.0.1:8787', `127.0.0.1:${servicePort}`],
    [/^ *listen \[::\].*\n/gm, ''],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['listen 80', `listen 127.0.0.1:${plain}`],
    [/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`],
  ])
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log warn;
events {}
http {
    access_log ${folder}/access.log;
    client_body_temp_path ${folder}/temporary/body;
    proxy_temp_path ${folder}/temporary/answers;
    gzip on;
${site}
}
`
  writeFileSync(path.join(folder, 'nginx.conf'), config)
  return ['-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')]
}

function forCaddy(folder: string): string[] {
  const site = replaced('Caddyfile', [
    [
      '{$SPOOL_HOST:video.example.com} {',
      `{$SPOOL_HOST:video.example.com} {\nbind 127.0.0.1\ntls ${folder}/cert.pem ${folder}/key.pem\nlog`,
    ],
  ])
  const options = '{\nadmin off\nauto_https disable_redirects\n}\n'
  writeFileSync(path.join(folder, 'Caddyfile'), `${options}${site}`)
  return ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')]
}

/** Each change must find its place, so that a test never runs another configuration than people get. */
function replaced(file: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      const next = text.replace(from, to)
      if (next === text) throw new Error(`self-hosting/${file} has no ${String(from)}`)
      return next
    },
    readFileSync(path.join(configs, file), 'utf8'),
  )
}
