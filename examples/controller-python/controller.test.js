import { test } from 'node:test'
import { testController } from '../controller-test.js'

// python3 -m venv venv && venv/bin/pip install -r requirements.txt
test('the controller labels every pod', () => testController(process.env.PYTHON ?? 'venv/bin/python', ['controller.py']))
