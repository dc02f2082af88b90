load lib
