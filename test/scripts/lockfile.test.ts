import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/machine/checkout.ts'

type Entry = {
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8')
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }

/** Looks where Node would: next to the package, then in every directory above it. */
function isLocked(place: string, name: string): boolean {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (candidate in packages) return true
    if (folder === '') return false
  }
}

describe('package-lock.json', () => {
  it('lists the packages of other systems too, because npm ci would otherwise ask the registry for them', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(place, name)),
    )
    expect(missing).toEqual([])
  })

  it('has the hash of every package, also of those that only other systems install', () => {
    const unknown = Object.entries(packages).filter(
      ([place, { integrity, link }]) => place !== '' && !link && integrity === undefined,
    )
    expect(unknown.map(([place]) => place)).toEqual([])
  })

  it('mentions no install script that fetches from elsewhere, because npm before 11 would run it without asking', () => {
    expect(packages['node_modules/onnxruntime-node']?.hasInstallScript).toBeUndefined()
  })

  it('depends on no particular registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
  })
})
