import { test } from 'node:test'
import { testController } from '../controller-test.js'

// esbuild turns TypeScript into JavaScript; Node.js 22.18 and newer run controller.ts themselves.
test('the controller labels every pod', () => testController(process.execPath, ['dist/controller.mjs']))
