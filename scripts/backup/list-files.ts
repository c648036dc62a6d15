import { readdirSync } from 'node:fs'
import path from 'node:path'

/** The simulator keeps each object of a bucket in a file of its own in such a folder, and never changes one. */
const objectFolder = 'blobs'

type Listed = {
  /** Files that change: databases and their logs. */
  changing: string[]
  /** Files of objects, each written once under a random name. */
  objects: string[]
}

/** Lists the files of the state by their paths in it. */
export function listState(folder: string): Listed {
  const listed: Listed = { changing: [], objects: [] }
  collect(folder, '', listed)
  return listed
}

function collect(base: string, inside: string, listed: Listed): void {
  for (const entry of readFolder(path.join(base, inside))) {
    const name = path.join(inside, entry.name)
    if (entry.isDirectory()) collect(base, name, listed)
    else if (path.basename(inside) === objectFolder) {
      // A file that is still being written has a name that begins with a dot.
      if (!entry.name.startsWith('.')) listed.objects.push(name)
    } else if (!entry.name.endsWith('-shm')) {
      // What SQLite shares between processes is made again from the log when a database is opened.
      listed.changing.push(name)
    }
  }
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    // A folder may be removed while the service runs.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
