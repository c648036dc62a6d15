import { execFile } from 'node:child_process'
import { programEnvironment } from './program-environment.ts'

/**
 * ffmpeg of a distribution has two hundred libraries and looks for each of forty thousand names in one library after the
 * other, which takes longer than most of what it is asked to do. Most of the names lie in these; where they are the first
 * to be asked, it starts a quarter sooner. Each name is found in the library in which it was found before: libm comes
 * before libc, and libblas before liblapack, because both have the same few names.
 */
const fullOfNames = [
  ...['m', 'c', 'crypto', 'epoxy', 'stdc++', 'glib-2.0', 'blas', 'lapack', 'avutil', 'srt-gnutls'],
  ...['asound', 'gio-2.0', 'nettle', 'gnutls', 'mbedcrypto', 'rubberband', 'db-5.3', 'codec2'],
  ...['unistring', 'pango-1.0', 'gobject-2.0', 'sphinxbase', 'dbus-1', 'X11', 'cairo'],
]

/** The libraries that a program should have asked first; none unless it is ffmpeg, with libraries of its own, on glibc. */
export async function firstLibraries(file: string): Promise<string[]> {
  const listed = await libraries(file)
  const found = fullOfNames.flatMap((name) =>
    listed.filter((one) => one.startsWith(`lib${name}.so.`)).slice(0, 1),
  )
  return found.some((one) => one.startsWith('libavutil.')) ? found : []
}

/** What the loader of glibc lists instead of starting the program; others know nothing of the variable. */
async function libraries(file: string): Promise<string[]> {
  const env = { ...programEnvironment, LD_TRACE_LOADED_OBJECTS: '1' }
  return new Promise((resolve) => {
    execFile(file, ['-version'], { env, timeout: 10_000, maxBuffer: 1 << 20 }, (error, stdout) => {
      const lines = error === null ? stdout.matchAll(/^\t(\S+) => \S/gm) : []
      resolve([...lines].flatMap(([, name]) => (name === undefined ? [] : [name])))
    })
  })
}
