import { test } from 'node:test'
import { testController } from '../controller-test.js'

// go build -o controller .
test('the controller labels every pod', () => testController(process.env.CONTROLLER ?? './controller', []))
