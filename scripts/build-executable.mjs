// Builds a single executable file for this platform with Node's own tooling (single executable applications): a copy of the
// running Node.js, with the package inside. The first start unpacks the package into the user's cache.
//   node scripts/build-executable.mjs [FILE]      default: out/rollcall
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureBuilt, ensureInstalled, root } from './set-up.mjs'

// Where Node.js looks for the application in a copy of itself.
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What runs: the built package without types, and the packages that are not bundled into it. */
function packageFiles() {
  const folders = ['dist', 'node_modules/re2js', 'node_modules/yaml']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(m?js|cjs|json|css|html)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)),
  )
  return Object.fromEntries(
    [...files, 'package.json'].sort().map((name) => [name.replaceAll('\\', '/'), readFileSync(join(root, name), 'utf8')]),
  )
}

/** Runs inside the executable, as CommonJS. A module on disk can import others; the embedded one cannot. */
const starter = (id) => `const { getRawAsset } = require('node:sea')
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { gunzipSync } = require('node:zlib')
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rollcall', 'executable')
const folder = join(cache, ${JSON.stringify(id)})
if (!existsSync(folder)) {
  // Unpacked beside and renamed at once: a second start never sees half of it.
  mkdirSync(cache, { recursive: true })
  const unpacked = mkdtempSync(join(cache, 'unpacking-'))
  for (const [name, text] of Object.entries(JSON.parse(gunzipSync(Buffer.from(getRawAsset('package'))).toString('utf8')))) {
    mkdirSync(dirname(join(unpacked, name)), { recursive: true })
    writeFileSync(join(unpacked, name), text)
  }
  writeFileSync(join(unpacked, 'start.cjs'), "import('./dist/rollcall.mjs')\\n")
  try {
    renameSync(unpacked, folder)
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}
// Node.js sets it to what the user typed: rollcall, a path, or a link.
process.argv[1] = process.execPath
createRequire(join(folder, 'package.json'))('./start.cjs')
`

export async function buildExecutable(target) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-executable-'))
  try {
    const packed = gzipSync(JSON.stringify(packageFiles()))
    const id = createHash('sha256').update(packed).digest('hex').slice(0, 16)
    writeFileSync(join(folder, 'package.gz'), packed)
    writeFileSync(join(folder, 'start.cjs'), starter(id))
    const config = {
      main: join(folder, 'start.cjs'),
      output: join(folder, 'application.blob'),
      disableExperimentalSEAWarning: true,
      assets: { package: join(folder, 'package.gz') },
    }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    execFileSync(process.execPath, ['--experimental-sea-config', join(folder, 'config.json')], { stdio: ['ignore', 'ignore', 'inherit'] })
    mkdirSync(dirname(target), { recursive: true })
    rmSync(target, { force: true })
    copyFileSync(process.execPath, target)
    chmodSync(target, 0o755)
    if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', target])
    const { inject } = await import('postject')
    await inject(target, 'NODE_SEA_BLOB', readFileSync(join(folder, 'application.blob')), {
      sentinelFuse: fuse,
      ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
    })
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', target])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && import.meta.filename === resolve(process.argv[1])) {
  ensureInstalled()
  await ensureBuilt()
  const target = resolve(process.argv[2] ?? join(root, 'out', process.platform === 'win32' ? 'rollcall.exe' : 'rollcall'))
  await buildExecutable(target)
  console.log(`Wrote ${target}`)
}
