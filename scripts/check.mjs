// `npm run check`: every check, in the order of how soon it answers.
import { join } from 'node:path'
import { ensureInstalled, root, run } from './set-up.mjs'

ensureInstalled()
const steps = [
  ['format and lint', 'biome', ['ci', '.']],
  ['imports', process.execPath, [join(root, 'scripts/import-rules.mjs')]],
  ['sources of the rules', process.execPath, [join(root, 'scripts/rule-sources.mjs')]],
  ['types', 'tsc', ['-p', '.']],
  ['types of what runs in a browser', 'tsc', ['-p', 'src/simulate/report/page']],
  ['types of the dashboard', 'tsc', ['-p', 'web']],
  ['types of tests in a browser', 'tsc', ['-p', 'test/front-door']],
  ['tests', process.execPath, [join(root, 'scripts/test.mjs'), '--all', ...process.argv.slice(2)]],
]
for (const [name, command, args] of steps) {
  console.log(`── ${name}`)
  const path = command.includes('/') ? command : join(root, 'node_modules/.bin', command)
  const status = run(path, args)
  if (status !== 0) process.exit(status)
}
