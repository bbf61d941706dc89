class Monitor:
    def __init__(self):
        self.nvml = None
        self.name = None
        try:
            self.nvml = __import__("pynvml")  # hint: NPT3201
            self.nvml.nvmlInit()  # hint: NPT3205
        except Exception:
            pass

    def read(self, device):
        if self.nvml is None:
            return 0
        handle = self.nvml.nvmlDeviceGetHandleByIndex(device)  # warning: NPT3205 neuron-monitor
        return getattr(self.nvml, "NVML_TEMPERATURE_GPU", handle)  # warning: NPT3205
