// Prepares a fresh clone for the other scripts: installs the packages of the lock file, and builds if the sources are newer.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) throw error
  return status ?? 1
}

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

export function ensureInstalled() {
  if (modified(join(root, 'node_modules/.package-lock.json')) >= modified(join(root, 'package-lock.json'))) return
  process.stderr.write('Installing the packages of package-lock.json …\n')
  // Not `npm ci`: it refuses a lock file that does not name the binaries of every other platform.
  const status = run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) {
    process.stderr.write('error: cannot install the packages. Check that the npm registry can be reached.\n')
    process.exit(status)
  }
}

function newest(folder) {
  let latest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : modified(path))
  }
  return latest
}

export async function ensureBuilt() {
  const sources = Math.max(
    newest(join(root, 'src')),
    newest(join(root, 'web')),
    newest(join(root, 'scripts')),
    modified(join(root, 'package.json')),
  )
  if (modified(join(root, 'dist/.built')) > sources) return
  const { build } = await import('./build.mjs')
  await build()
}
