// `npm start [-- FLAGS]` and `npm run rollcall -- COMMAND …`: installs, builds, and hands the rest to the command.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './set-up.mjs'

ensureInstalled()
await ensureBuilt()
const child = spawn(process.execPath, [join(root, 'dist/rollcall.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' })
// Ctrl-C reaches the whole process group: the child decides when it has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal === 'SIGINT' || child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 0) : 1))
