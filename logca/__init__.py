"""LogCA: when a hardware accelerator pays, derived exactly and proved."""
