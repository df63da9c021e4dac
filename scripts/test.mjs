// `npm test [-- FILTER …]`: installs, builds, runs every test, and ends in one line: `N passed, N failed, N skipped`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, run } from './set-up.mjs'

ensureInstalled()
await ensureBuilt()
const folder = mkdtempSync(join(tmpdir(), 'rollcall-test-'))
const report = join(folder, 'report.json')
// The parity tests compare with recorded responses of Kubernetes.
const without = process.env.ROLLCALL_PARITY ? [] : ['--exclude=test/front-door/parity.test.ts']
if (without.length > 0) console.log('Not run: parity with Kubernetes (ROLLCALL_PARITY names no folder with recorded answers).')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const status = run(process.execPath, [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  ...reporters,
  ...without,
  ...process.argv.slice(2),
])

let counts
try {
  counts = JSON.parse(readFileSync(report, 'utf8'))
} catch {
  process.stderr.write('The test runner ended before it could report.\n')
  process.exit(status || 1)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const skipped = counts.testResults.flatMap((file) =>
  file.assertionResults.filter((test) => test.status === 'pending' || test.status === 'skipped'),
)
for (const test of skipped) console.log(`skipped: ${test.fullName}`)
if (process.env.CI === 'true' && skipped.length > 0) console.log('In CI nothing may be skipped.')
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped.length} skipped`)
process.exit(process.env.CI === 'true' && skipped.length > 0 ? 1 : status)
