"""The PyPI package jupyter_kernel_test over `cfg kernel`, with everything it can test switched on."""

import unittest

import jupyter_kernel_test


class CfgKernel(jupyter_kernel_test.KernelTests):
    kernel_name = "cfg"
    language_name = "cfg"
    file_extension = ".cfg"
    code_hello_world = 'std.trace "hello, world" null'
    code_stderr = "[1, \"a\"]"
    completion_samples = [
        {"text": "std.arr", "matches": {"array"}},
        {"text": "%ty", "matches": {"type"}},
    ]
    complete_code_samples = ["1", "let x = { a = 1 }", "%type 1", "x?"]
    incomplete_code_samples = ["{", "let x = {\n  a = 1,", "if true then"]
    code_page_something = "std.array.map?"
    code_generate_error = '1 + "a"'
    code_execute_result = [
        {"code": "1 + 2", "result": "3"},
        {"code": "2 + 2 + 0", "result": "4"},
        {"code": "3 + 2", "result": "5"},
        {"code": "{ a | default = 1 } & { a = 2 }", "result": "{ a = 2 }"},
        {"code": "%type fun x => x", "result": "forall a. a -> a"},
    ]
    code_display_data = [{"code": "let y = 1", "mime": "text/plain"}]
    code_history_pattern = "1?+?2"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "std.array.map"
    code_clear_output = "%clear"


if __name__ == "__main__":
    unittest.main()
