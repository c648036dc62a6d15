// Leaves in node_modules only the named packages and what they depend on: node keep-packages.mjs PACKAGE…
// The images are built with it; a test compares the names with what their programs import.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const kept = new Set()
const waiting = process.argv.slice(2)
for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
  if (kept.has(name)) continue
  kept.add(name)
  const { dependencies, optionalDependencies } = packages[`node_modules/${name}`] ?? {}
  waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }))
}

for (const name of installed()) {
  if (!kept.has(name)) remove(name)
}
// The largest of what no program here reads: maps, models of other tasks, and runtimes for other systems.
for (const file of readdirSync('node_modules', { recursive: true })) {
  if (file.endsWith('.map')) rmSync(path.join('node_modules', file))
}
const models = path.join('node_modules', '@vladmandic/human/models')
for (const file of existsSync(models) ? readdirSync(models) : []) {
  if (!/^(blazeface|centernet|facemesh)\./.test(file)) rmSync(path.join(models, file))
}
remove('@usefulsensors/moonshine-js/dist/model/tiny')
const runtimes = 'onnxruntime-node/bin/napi-v6'
for (const system of foldersIn(runtimes)) {
  for (const processor of foldersIn(`${runtimes}/${system}`)) {
    if (system === process.platform && processor === process.arch) continue
    remove(`${runtimes}/${system}/${processor}`)
  }
}

function* installed() {
  for (const name of foldersIn('').filter((name) => !name.startsWith('.'))) {
    if (!name.startsWith('@')) yield name
    else for (const scoped of foldersIn(name)) yield `${name}/${scoped}`
  }
}

function foldersIn(place) {
  const folder = path.join('node_modules', place)
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function remove(place) {
  rmSync(path.join('node_modules', place), { recursive: true })
}
